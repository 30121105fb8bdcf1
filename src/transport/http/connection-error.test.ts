import { expect, test } from "vitest";
import { ConnectionError, connectionError, isReset, isTimeout } from "./connection-error.ts";
import { ProxyError } from "./proxy-error.ts";

const request = { method: "GET", path: "/api/v1/pods", headers: { authorization: "Bearer secret" } } as const;
const to = { server: "https://10.0.0.1:6443", origin: "~/.kube/config, context dev" };

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test("an error names the request, the server, the failure, what to check, and the source of the server", () => {
  const cause = coded("ECONNREFUSED", "connect ECONNREFUSED 10.0.0.1:6443");
  const error = connectionError(cause, request, to);
  expect(error).toBeInstanceOf(ConnectionError);
  expect({ ...error, message: error.message, cause: error.cause }).toEqual({
    name: "ConnectionError",
    code: "ECONNREFUSED",
    message:
      "expected a response to GET /api/v1/pods from https://10.0.0.1:6443, got connect ECONNREFUSED 10.0.0.1:6443: " +
      "nothing listens at this address; is the API server running? (server from ~/.kube/config, context dev)",
    request: { method: "GET", path: "/api/v1/pods" },
    cause,
  });
});

test.each<{ cause: Error; code: string; got: string }>([
  { cause: coded("EXXX", "odd"), code: "EXXX", got: "EXXX (odd)" },
  { cause: new TypeError("odd"), code: "TypeError", got: "TypeError (odd)" },
  {
    cause: Object.assign(coded("ERR_SSL_WRONG_VERSION_NUMBER", "80:error:record.c:350:\n"), {
      reason: "wrong version number",
    }),
    code: "ERR_SSL_WRONG_VERSION_NUMBER",
    got: "ERR_SSL_WRONG_VERSION_NUMBER (wrong version number): the server does not speak TLS; should its URL begin with http:?",
  },
  {
    cause: new ProxyError(new URL("http://user:secret@proxy:3128"), "connect ECONNREFUSED", {
      code: "ECONNREFUSED",
    }),
    code: "ECONNREFUSED",
    got: "connect ECONNREFUSED via the proxy http://proxy:3128: check proxyUrl",
  },
])("$code has its own message", ({ cause, code, got }) => {
  const error = connectionError(cause, request, to);
  expect([error.code, error.message]).toEqual([
    code,
    `expected a response to GET /api/v1/pods from https://10.0.0.1:6443, got ${got} (server from ~/.kube/config, context dev)`,
  ]);
});

test.each([
  { code: "ECONNRESET", reset: true, timeout: false },
  { code: "EPIPE", reset: true, timeout: false },
  { code: "UND_ERR_SOCKET", reset: true, timeout: false },
  { code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", reset: true, timeout: false },
  { code: "HPE_INVALID_EOF_STATE", reset: true, timeout: false },
  { code: "ETIMEDOUT", reset: false, timeout: true },
  { code: "UND_ERR_CONNECT_TIMEOUT", reset: false, timeout: true },
  { code: "UND_ERR_HEADERS_TIMEOUT", reset: false, timeout: true },
  { code: "UND_ERR_BODY_TIMEOUT", reset: false, timeout: true },
  { code: "ECONNREFUSED", reset: false, timeout: false },
  { code: "UND_ERR_DESTROYED", reset: false, timeout: false },
  { code: "HPE_INVALID", reset: false, timeout: false },
])("$code: reset $reset, timeout $timeout", ({ code, reset, timeout }) => {
  const error = connectionError(coded(code, "x"), request, to);
  expect([isReset(error), isTimeout(error)]).toEqual([reset, timeout]);
});

test("only a ConnectionError is a reset or a timeout", () => {
  for (const other of [undefined, coded("ECONNRESET", "x"), coded("ETIMEDOUT", "x")]) {
    expect([isReset(other), isTimeout(other)]).toEqual([false, false]);
  }
});
