import { expect, test } from "vitest";
import type { Status } from "../api/index.ts";
import {
  ApiError,
  apiErrorFrom,
  apiErrorFromStatus,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
  parseBody,
} from "./api-error.ts";
import { status } from "./scripted-transport.fixture.ts";
import type { ApiRequest, Method } from "./transport.ts";

const request: ApiRequest = {
  method: "GET",
  path: "/api/v1/namespaces/a/pods/b",
  signal: AbortSignal.abort(),
};

function failure(fields: Partial<Status>): Status {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", ...fields };
}

test("an error has all fields of its Status", () => {
  const details = {
    name: "b",
    kind: "pods",
    causes: [{ reason: "FieldValueRequired", message: "required", field: "spec.containers" }],
    retryAfterSeconds: 3,
  };
  const detail = failure({ code: 422, reason: "Invalid", message: 'Pod "b" is invalid', details });
  const error = apiErrorFrom(request, status(422, {}, JSON.stringify(detail)));
  expect(error).toBeInstanceOf(ApiError);
  expect({ ...error, message: error.message }).toEqual({
    name: "ApiError",
    message: 'expected success of GET /api/v1/namespaces/a/pods/b, got 422 Invalid: Pod "b" is invalid',
    code: 422,
    reason: "Invalid",
    details,
    retryAfterMs: 3000,
    statusMessage: 'Pod "b" is invalid',
    request: { method: "GET", path: "/api/v1/namespaces/a/pods/b" },
  });
});

test("a Status without code and reason takes both from HTTP", () => {
  const error = apiErrorFrom(request, status(404, {}, JSON.stringify(failure({ message: "no" }))));
  expect([error.code, error.reason, error.message]).toEqual([
    404,
    "NotFound",
    "expected success of GET /api/v1/namespaces/a/pods/b, got 404 NotFound: no",
  ]);
});

test("the Retry-After header takes precedence over the Status", () => {
  const detail = JSON.stringify(failure({ code: 429, details: { retryAfterSeconds: 3 } }));
  const after = (headers: Record<string, string>): unknown =>
    apiErrorFrom(request, status(429, headers, detail)).retryAfterMs;
  expect([after({ "retry-after": "7" }), after({}), after({ "retry-after": "soon" })]).toEqual([
    7000, 3000, 3000,
  ]);
});

test.each([
  ["an hour", 3600, 300_000],
  ["more than can be counted", 1e300, 300_000],
  ["a text", "5", undefined],
  ["an object", { seconds: 5 }, undefined],
  ["a negative number", -5, undefined],
  ["zero", 0, undefined],
])("retryAfterSeconds %s in a Status is used or ignored", (_, retryAfterSeconds, expected) => {
  const detail = { kind: "Status", code: 429, details: { retryAfterSeconds } };
  const errors = [
    apiErrorFrom(request, status(429, {}, JSON.stringify(detail))),
    apiErrorFromStatus(detail as never, request),
  ];
  expect(errors.map(({ retryAfterMs }) => retryAfterMs)).toEqual([expected, expected]);
});

test("fields of a Status with invalid types are omitted", () => {
  const detail = {
    kind: "Status",
    code: "5",
    reason: 7,
    message: { a: 1 },
    details: { name: 5, kind: "pods", causes: [null, 5, { reason: "x", message: 9 }], retryAfterSeconds: [] },
  };
  const error = apiErrorFrom(request, status(404, {}, JSON.stringify(detail)));
  expect([error.code, error.reason, error.details]).toEqual([
    404,
    "NotFound",
    { kind: "pods", causes: [{ reason: "x" }] },
  ]);
  const { details } = apiErrorFrom(
    request,
    status(404, {}, JSON.stringify({ ...detail, details: { causes: 5 } })),
  );
  expect(details).toEqual({});
});

test.each<{ title: string; body: string; detail: string }>([
  { title: "text", body: "404 page not found\n", detail: ': "404 page not found"' },
  {
    title: "HTML",
    body: "<html>\n  <body>Bad</body>\n</html>",
    detail: ': "<html> <body>Bad</body> </html>"',
  },
  { title: "half a Status", body: '{"kind":"Status","mess', detail: ': "{\\"kind\\":\\"Status\\",\\"mess"' },
  { title: "other JSON", body: '{"kind":"Pod"}', detail: ': "{\\"kind\\":\\"Pod\\"}"' },
  { title: "null", body: "null", detail: ': "null"' },
  { title: "nothing", body: "", detail: "" },
  { title: "a lot", body: "x".repeat(100_000), detail: `: "${"x".repeat(300)}..."` },
])("a body of $title becomes an error that quotes its start", ({ body, detail }) => {
  const error = apiErrorFrom(request, status(404, { "retry-after": "1" }, body));
  expect({ ...error, message: error.message }).toMatchObject({
    message: `expected success of GET /api/v1/namespaces/a/pods/b, got 404 NotFound${detail}`,
    code: 404,
    reason: "NotFound",
    details: undefined,
    retryAfterMs: 1000,
  });
});

test.each<[method: Method, code: number, reason: string]>([
  ["GET", 400, "BadRequest"],
  ["GET", 401, "Unauthorized"],
  ["GET", 403, "Forbidden"],
  ["GET", 404, "NotFound"],
  ["GET", 405, "MethodNotAllowed"],
  ["GET", 406, "NotAcceptable"],
  ["PUT", 409, "Conflict"],
  ["POST", 409, "AlreadyExists"],
  ["GET", 410, "Gone"],
  ["POST", 413, "RequestEntityTooLarge"],
  ["POST", 415, "UnsupportedMediaType"],
  ["POST", 422, "Invalid"],
  ["GET", 429, "TooManyRequests"],
  ["GET", 500, "InternalError"],
  ["GET", 502, "InternalError"],
  ["GET", 503, "ServiceUnavailable"],
  ["GET", 504, "Timeout"],
  ["GET", 418, "Unknown"],
  ["GET", 302, "Unknown"],
])("%s with a bare %d is %s", (method, code, reason) => {
  expect(apiErrorFrom({ method, path: "/" }, status(code))).toMatchObject({ code, reason });
});

test("an ERROR event becomes an error about the watch", () => {
  const detail = failure({ code: 410, reason: "Expired", message: "too old resource version: 1 (2)" });
  const error = apiErrorFromStatus(detail, request);
  expect(error.message).toBe(
    "expected events from GET /api/v1/namespaces/a/pods/b, got 410 Expired: too old resource version: 1 (2)",
  );
  expect([isExpired(error), error.retryAfterMs, error.request]).toEqual([
    true,
    undefined,
    { method: "GET", path: "/api/v1/namespaces/a/pods/b" },
  ]);
});

test("an ERROR event without code and reason is an internal error", () => {
  const error = apiErrorFromStatus(failure({ reason: "", details: { retryAfterSeconds: 2 } }), request);
  expect([error.code, error.reason, error.retryAfterMs, error.message]).toEqual([
    500,
    "InternalError",
    2000,
    "expected events from GET /api/v1/namespaces/a/pods/b, got 500 InternalError",
  ]);
});

const predicates = {
  isNotFound,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isForbidden,
  isUnauthorized,
  isExpired,
  isTooManyRequests,
  isServerTimeout,
  isServiceUnavailable,
  isMethodNotAllowed,
};

test.each<{ reason: string; code: number; holds: (keyof typeof predicates)[] }>([
  { reason: "NotFound", code: 404, holds: ["isNotFound"] },
  { reason: "AlreadyExists", code: 409, holds: ["isAlreadyExists"] },
  { reason: "Conflict", code: 409, holds: ["isConflict"] },
  { reason: "Invalid", code: 422, holds: ["isInvalid"] },
  { reason: "Forbidden", code: 403, holds: ["isForbidden"] },
  { reason: "Unauthorized", code: 401, holds: ["isUnauthorized"] },
  { reason: "Expired", code: 410, holds: ["isExpired"] },
  { reason: "Gone", code: 410, holds: ["isExpired"] },
  { reason: "TooManyRequests", code: 429, holds: ["isTooManyRequests"] },
  { reason: "ServerTimeout", code: 500, holds: ["isServerTimeout"] },
  { reason: "Timeout", code: 504, holds: ["isServerTimeout"] },
  { reason: "ServiceUnavailable", code: 503, holds: ["isServiceUnavailable"] },
  { reason: "MethodNotAllowed", code: 405, holds: ["isMethodNotAllowed"] },
  { reason: "InternalError", code: 500, holds: [] },
  { reason: "BadRequest", code: 400, holds: [] },
  { reason: "NamespaceTerminating", code: 403, holds: ["isForbidden"] },
  { reason: "a webhook's own words", code: 404, holds: ["isNotFound"] },
  { reason: "a webhook's own words", code: 409, holds: ["isConflict"] },
  { reason: "Conflict", code: 404, holds: ["isConflict"] },
  { reason: "Unknown", code: 429, holds: ["isTooManyRequests"] },
])("$code $reason is $holds", ({ reason, code, holds }) => {
  const error: unknown = new ApiError("x", { code, reason });
  const held = Object.entries(predicates).filter(([, holdsFor]) => holdsFor(error));
  expect(held.map(([name]) => name)).toEqual(holds);
});

test("every predicate is false for other values", () => {
  for (const other of [
    undefined,
    null,
    "NotFound",
    new Error("NotFound"),
    { code: 404, reason: "NotFound" },
  ]) {
    expect(Object.values(predicates).filter((holdsFor) => holdsFor(other))).toEqual([]);
  }
});

test("the body of a successful response is parsed", () => {
  expect(parseBody(request, status(200, {}, '{"é":[1]}'))).toEqual({ é: [1] });
});

test.each([
  {
    title: "HTML",
    type: "text/html",
    body: "<html>Sign in</html>",
    got: 'text/html, 20 bytes: "<html>Sign in</html>"',
  },
  {
    title: "half of JSON",
    type: "application/json",
    body: '{"a":',
    got: 'application/json, 5 bytes: "{\\"a\\":"',
  },
  { title: "nothing", type: undefined, body: "", got: 'no content type, 0 bytes: ""' },
])("a successful response of $title is an error that questions the address", ({ type, body, got }) => {
  const parse = (): unknown => parseBody(request, status(200, { "content-type": type }, body));
  expect(parse).toThrow(
    `expected JSON from GET /api/v1/namespaces/a/pods/b, got 200 with ${got}; is that address a Kubernetes API server?`,
  );
  expect(parse).toThrow(
    expect.objectContaining({
      name: "ApiError",
      code: 200,
      reason: "InvalidResponse",
      cause: expect.any(SyntaxError),
    }),
  );
});
