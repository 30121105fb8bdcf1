import { expect, test } from "vitest";
import { settled } from "../../base/index.ts";
import type { Identity, RequestAuth } from "../config/cluster-config.ts";
import {
  always,
  bodyOf,
  gate,
  get,
  httpServer,
  reply,
  tcpServer,
  transportTo,
} from "../local-server.fixture.ts";
import type { ApiRequest } from "../transport.ts";
import { ConnectionError } from "./connection-error.ts";

/** Returns the error of a rejected promise. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`expected a failure, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

test("a request is sent with its method, path, headers and body, and its response is complete", async () => {
  const server = await httpServer(async (request, response) => {
    const { method, url, headers } = request;
    const { "content-type": type, "x-trace": trace, host } = headers;
    const body = await bodyOf(request);
    response.writeHead(201, { "x-one": "1", "x-many": ["a", "b"] });
    response.end(JSON.stringify({ method, url, type, trace, host, body }));
  });
  const transport = transportTo(server);
  const response = await transport.send({
    method: "POST",
    path: "/api/v1/pods?dryRun=All&x=%20y",
    headers: { "content-type": "application/json", "x-trace": "7" },
    body: '{"é":1}',
  });
  expect([response.status, response.headers["x-one"], response.headers["x-many"]]).toEqual([
    201,
    "1",
    ["a", "b"],
  ]);
  expect(JSON.parse(response.body.toString())).toEqual({
    method: "POST",
    url: "/api/v1/pods?dryRun=All&x=%20y",
    type: "application/json",
    trace: "7",
    host: `127.0.0.1:${server.port}`,
    body: '{"é":1}',
  });
});

test("a body of bytes is sent unchanged, and a response of many chunks is joined", async () => {
  const server = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    for (let at = 0; at < body.length; at += 50_000) response.write(body.subarray(at, at + 50_000));
    response.end();
  });
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
  const response = await transportTo(server).send({ method: "PUT", path: "/", body: bytes });
  expect(response.body.equals(bytes)).toBe(true);
});

test("the base path of the server's URL is kept", async () => {
  const server = await httpServer((request, response) => reply(response, request.url));
  const transport = transportTo(server, { basePath: "/k8s/clusters/c-1" });
  const sent = await transport.send(get("/api/v1/pods?limit=1"));
  expect(sent.body.toString()).toBe('"/k8s/clusters/c-1/api/v1/pods?limit=1"');
});

test("HEAD, 204 and an empty 200 give an empty body", async () => {
  const server = await httpServer((request, response) => {
    response.writeHead(
      request.url === "/204" ? 204 : 200,
      request.method === "HEAD" ? { "content-length": 9 } : {},
    );
    response.end();
  });
  const transport = transportTo(server);
  const responses = [
    await transport.send({ method: "HEAD", path: "/" }),
    await transport.send(get("/204")),
    await transport.send(get("/")),
  ];
  expect(responses.map(({ status, body }) => [status, body.length])).toEqual([
    [200, 0],
    [204, 0],
    [200, 0],
  ]);
});

test("impersonation is sent with every request, one header per group, unless the request has its own", async () => {
  const server = await httpServer((request, response) =>
    reply(
      response,
      request.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 && /^(impersonate|authorization)/i.test(name)
          ? [`${name.toLowerCase()}: ${all[index + 1]}`]
          : [],
      ),
    ),
  );
  const transport = transportTo(server, {
    identity: always({ headers: { authorization: "Bearer ours" }, tls: undefined }),
    impersonate: { user: "jane", groups: ["dev", "ops"] },
  });
  const headersOf = async (request: ApiRequest): Promise<unknown> =>
    JSON.parse((await transport.send(request)).body.toString());
  expect(await headersOf(get("/"))).toEqual([
    "impersonate-user: jane",
    "impersonate-group: dev",
    "impersonate-group: ops",
    "authorization: Bearer ours",
  ]);
  expect(
    await headersOf(get("/", { headers: { "impersonate-user": "joe", authorization: "Bearer own" } })),
  ).toEqual(["impersonate-user: joe", "authorization: Bearer own"]);
});

test("a body over maxBodyBytes is an error with the action to take", async () => {
  const server = await httpServer((_, response) => void response.end("x".repeat(1001)));
  const transport = transportTo(server, { maxBodyBytes: 1000 });
  const error = await failure(transport.send(get("/api/v1/pods")));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: "BODY_TOO_LARGE", request: { method: "GET", path: "/api/v1/pods" } });
  expect(String(error)).toBe(
    `ConnectionError: expected a response to GET /api/v1/pods from ${transport.server}, got BODY_TOO_LARGE (a body of ` +
      "more than 1000 bytes; request less at a time, with a smaller pageSize) (server from a test)",
  );
});

test("a reader receives the body of a 200 response as it arrives, and of no other", async () => {
  const server = await httpServer((request, response) => {
    response.writeHead(request.url === "/there" ? 200 : 404).write("some");
    response.end("thing");
  });
  const transport = transportTo(server);
  const read: string[] = [];
  const reader = () => {
    read.push("");
    return { push: (chunk: Buffer) => read.push(`${read.pop()}${chunk}`) };
  };
  const there = await transport.send({ method: "GET", path: "/there", reader });
  const gone = await transport.send({ method: "GET", path: "/gone", reader });
  expect(read).toEqual(["something"]);
  expect([there, gone].map(({ status, body, bodyBytes }) => [status, body.toString(), bodyBytes])).toEqual([
    [200, "", 9],
    [404, "something", 9],
  ]);
});

test("a reader receives at most maxBodyBytes", async () => {
  const server = await httpServer((_, response) => response.end("x".repeat(11)));
  const read: string[] = [];
  const reader = () => ({ push: (chunk: Buffer) => read.push(chunk.toString()) });
  const sent = transportTo(server, { maxBodyBytes: 10 }).send({ method: "GET", path: "/", reader });
  await expect(sent).rejects.toThrow("a body of more than 10 bytes");
  expect(read.join("").length).toBeLessThanOrEqual(10);
});

test("a body of exactly maxBodyBytes is accepted", async () => {
  const server = await httpServer((_, response) => void response.end("x".repeat(1000)));
  const response = await transportTo(server, { maxBodyBytes: 1000 }).send(get("/"));
  expect(response.body.length).toBe(1000);
});

test("a response that does not begin or continue in time is a timeout", {
  timeout: 10_000,
}, async () => {
  const server = await httpServer((request, response) => {
    if (request.url === "/stops") response.writeHead(200).write("half");
  });
  const transport = transportTo(server, { responseTimeoutMs: 100 });
  const errors = await Promise.all([
    failure(transport.send(get("/never"))),
    failure(transport.send(get("/stops"))),
  ]);
  expect(errors).toMatchObject([{ code: "UND_ERR_HEADERS_TIMEOUT" }, { code: "UND_ERR_BODY_TIMEOUT" }]);
});

test("a request with an aborted signal is not sent", async () => {
  const server = await httpServer((_, response) => reply(response));
  const transport = transportTo(server);
  const signal = AbortSignal.abort(new Error("enough"));
  expect(await failure(transport.send(get("/", { signal })))).toBe(signal.reason);
  expect(await failure(transport.open(get("/", { signal })))).toBe(signal.reason);
  expect(server.accepted).toBe(0);
});

test("a signal ends a request that waits for its response, and its connection", async () => {
  const requested = gate();
  const closed = gate();
  const server = await httpServer((request) => {
    request.socket.once("close", () => closed.pass());
    requested.pass();
  });
  const stop = new AbortController();
  const sent = failure(transportTo(server).send(get("/", { signal: stop.signal })));
  await requested.passed;
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
  await closed.passed;
});

test("a signal ends a request whose response body is arriving, and its connection", async () => {
  const begun = gate();
  const closed = gate();
  const server = await httpServer((request, response) => {
    request.socket.once("close", () => closed.pass());
    response.writeHead(200).write("half", () => begun.pass());
  });
  const stop = new AbortController();
  const sent = failure(transportTo(server).send(get("/", { signal: stop.signal })));
  await begun.passed;
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
  await closed.passed;
});

test("a signal ends a request whose connection is being opened", async () => {
  const server = await tcpServer(() => {}); // accepts the connection without a TLS handshake
  const stop = new AbortController();
  const sent = failure(
    transportTo(server, { tls: { insecure: true } }).send(get("/", { signal: stop.signal })),
  );
  await server.until(1);
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
});

test("a request that is aborted while it waits for a connection is not sent, and closes no connection", async () => {
  const requested = gate();
  const released = gate();
  const paths: unknown[] = [];
  const server = await httpServer(async (request, response) => {
    paths.push(request.url);
    requested.pass();
    await released.passed;
    reply(response);
  });
  const transport = transportTo(server, { connections: 1 });
  const stop = new AbortController();
  const first = transport.send(get("/first"));
  await requested.passed;
  const second = failure(transport.send(get("/second", { signal: stop.signal })));
  await settled();
  stop.abort(new Error("enough"));
  expect(await second).toBe(stop.signal.reason);
  const third = transport.send(get("/third"));
  released.pass();
  await Promise.all([first, third]);
  expect([paths, server.accepted]).toEqual([["/first", "/third"], 1]);
});

test("a signal ends the wait for an identity", async () => {
  const server = await httpServer((_, response) => reply(response));
  const identity: Identity = { current: () => new Promise<RequestAuth>(() => {}), refused: () => false };
  const transport = transportTo(server, { identity });
  const stop = new AbortController();
  const calls = [
    failure(transport.send(get("/", { signal: stop.signal }))),
    failure(transport.open(get("/", { signal: stop.signal }))),
  ];
  await settled();
  stop.abort(new Error("enough"));
  expect(await Promise.all(calls)).toEqual([stop.signal.reason, stop.signal.reason]);
});

test("an error of the identity is the error of the request", async () => {
  const server = await httpServer((_, response) => reply(response));
  const failed = new Error("expected a token, got none");
  const identity: Identity = { current: () => Promise.reject(failed), refused: () => false };
  expect(await failure(transportTo(server, { identity }).send(get("/")))).toBe(failed);
});

/** Returns an identity with the token `first`, and with `second` after a refusal if `hopeful` is true. */
function refreshing(hopeful: boolean): Identity & { readonly refusals: RequestAuth[] } {
  const tokens = ["first", "second"].map((token) => ({ headers: { authorization: token }, tls: undefined }));
  const refusals: RequestAuth[] = [];
  return {
    refusals,
    current: () => tokens[hopeful ? Math.min(refusals.length, 1) : 0] as RequestAuth,
    refused: (presented) => {
      refusals.push(presented);
      return hopeful;
    },
  };
}

test.each(["send", "open"] as const)(
  "%s: after a 401 the request is sent once more with newer credentials and the complete body",
  async (way) => {
    const seen: unknown[] = [];
    const server = await httpServer(async (request, response) => {
      seen.push([request.headers.authorization, await bodyOf(request)]);
      reply(response, {}, request.headers.authorization === "second" ? 200 : 401);
    });
    const identity = refreshing(true);
    const transport = transportTo(server, { identity });
    const response = await transport[way]({ method: "POST", path: "/", body: "{}" });
    expect(response.status).toBe(200);
    expect(seen).toEqual([
      ["first", "{}"],
      ["second", "{}"],
    ]);
  },
);

test.each(["send", "open"] as const)("%s: a second 401 is the response", async (way) => {
  let requests = 0;
  const server = await httpServer((_, response) => {
    requests += 1;
    reply(response, {}, 401);
  });
  const response = await transportTo(server, { identity: refreshing(true) })[way](get("/"));
  expect([response.status, requests]).toEqual([401, 2]);
});

test("a 401 is the response if the identity has no newer credentials", async () => {
  let requests = 0;
  const server = await httpServer((_, response) => {
    requests += 1;
    reply(response, {}, 401);
  });
  const identity = refreshing(false);
  const response = await transportTo(server, { identity }).send(get("/"));
  expect([response.status, requests, identity.refusals.length]).toEqual([401, 1, 1]);
});

test("a 401 for a request with its own authorization does not refresh the identity", async () => {
  const server = await httpServer((_, response) => reply(response, {}, 401));
  const identity = refreshing(true);
  const transport = transportTo(server, { identity });
  await transport.send(get("/", { headers: { authorization: "Bearer own" } }));
  expect(identity.refusals).toEqual([]);
});

test("close fails running requests and refuses new ones", async () => {
  const requested = gate();
  const server = await httpServer(() => requested.pass());
  const transport = transportTo(server);
  const sent = failure(transport.send(get("/")));
  await requested.passed;
  await transport.close();
  await transport.close();
  expect(await sent).toMatchObject({ name: "ConnectionError", code: "UND_ERR_DESTROYED" });
  expect(String(await failure(transport.send(get("/"))))).toBe(
    `Error: transport to ${transport.server} already closed`,
  );
  await server.until(0);
});

test("a server that does not speak HTTP is an error", async () => {
  const server = await tcpServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
  const transport = transportTo(server);
  await expect(transport.send(get("/api"))).rejects.toThrow(
    `expected a response to GET /api from ${transport.server}, got HPE_INVALID (Response does not match the ` +
      "HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)): the server does not speak HTTP; are the port and the scheme (http or https) correct? " +
      "(server from a test)",
  );
});
