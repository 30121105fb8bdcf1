import { expect, test } from "vitest";
import { settled } from "../base/index.ts";
import type { Identity, RequestAuth } from "./cluster-config.ts";
import { ConnectionError } from "./connection-error.ts";
import {
  always,
  bodyOf,
  gate,
  get,
  httpServer,
  reply,
  tcpServer,
  transportTo,
} from "./local-server.fixture.ts";
import type { ApiRequest } from "./transport.ts";

/** What `promise` rejects with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`expected a failure, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

test("a request arrives with its method, path, headers and body, and its answer comes back whole", async () => {
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

test("a body of bytes is sent as it is, and one that comes in many pieces is put together", async () => {
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
  const answers = [
    await transport.send({ method: "HEAD", path: "/" }),
    await transport.send(get("/204")),
    await transport.send(get("/")),
  ];
  expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
    [200, 0],
    [204, 0],
    [200, 0],
  ]);
});

test("impersonation goes with every request, a group a header, unless a request says itself whom it acts as", async () => {
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

test("a body over maxBodyBytes is refused with what to do", async () => {
  const server = await httpServer((_, response) => void response.end("x".repeat(1001)));
  const transport = transportTo(server, { maxBodyBytes: 1000 });
  const error = await failure(transport.send(get("/api/v1/pods")));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: "BODY_TOO_LARGE", request: { method: "GET", path: "/api/v1/pods" } });
  expect(String(error)).toBe(
    `ConnectionError: expected an answer to GET /api/v1/pods from ${transport.server}, got BODY_TOO_LARGE (a body of ` +
      "more than 1000 bytes; request less at a time, with a smaller pageSize) (server from a test)",
  );
});

test("a reader takes the body of an answer of 200 while it comes, and of no other", async () => {
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

test("a reader is given no more than maxBodyBytes", async () => {
  const server = await httpServer((_, response) => response.end("x".repeat(11)));
  const read: string[] = [];
  const reader = () => ({ push: (chunk: Buffer) => read.push(chunk.toString()) });
  const sent = transportTo(server, { maxBodyBytes: 10 }).send({ method: "GET", path: "/", reader });
  await expect(sent).rejects.toThrow("a body of more than 10 bytes");
  expect(read.join("").length).toBeLessThanOrEqual(10);
});

test("a body of exactly maxBodyBytes is taken", async () => {
  const server = await httpServer((_, response) => void response.end("x".repeat(1000)));
  const response = await transportTo(server, { maxBodyBytes: 1000 }).send(get("/"));
  expect(response.body.length).toBe(1000);
});

test("an answer that does not begin, or does not go on, in time is a timeout", {
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

test("a signal that has aborted sends nothing", async () => {
  const server = await httpServer((_, response) => reply(response));
  const transport = transportTo(server);
  const signal = AbortSignal.abort(new Error("enough"));
  expect(await failure(transport.send(get("/", { signal })))).toBe(signal.reason);
  expect(await failure(transport.open(get("/", { signal })))).toBe(signal.reason);
  expect(server.accepted).toBe(0);
});

test("a signal ends a request that waits for its answer, and its connection", async () => {
  const asked = gate();
  const server = await httpServer(() => asked.pass());
  const stop = new AbortController();
  const sent = failure(transportTo(server).send(get("/", { signal: stop.signal })));
  await asked.passed;
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
  await server.until(0);
});

test("a signal ends a request whose body is on its way, and its connection", async () => {
  const begun = gate();
  const server = await httpServer((_, response) => response.writeHead(200).write("half", () => begun.pass()));
  const stop = new AbortController();
  const sent = failure(transportTo(server).send(get("/", { signal: stop.signal })));
  await begun.passed;
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
  await server.until(0);
});

test("a signal ends a request before its connection stands", async () => {
  const server = await tcpServer(() => {}); // takes the connection, and never shakes hands
  const stop = new AbortController();
  const sent = failure(
    transportTo(server, { tls: { insecure: true } }).send(get("/", { signal: stop.signal })),
  );
  await server.until(1);
  stop.abort(new Error("enough"));
  expect(await sent).toBe(stop.signal.reason);
});

test("a request aborted while it waits for its turn is not sent, and takes no connection down", async () => {
  const asked = gate();
  const answer = gate();
  const paths: unknown[] = [];
  const server = await httpServer(async (request, response) => {
    paths.push(request.url);
    asked.pass();
    await answer.passed;
    reply(response);
  });
  const transport = transportTo(server, { connections: 1 });
  const stop = new AbortController();
  const first = transport.send(get("/first"));
  await asked.passed;
  const second = failure(transport.send(get("/second", { signal: stop.signal })));
  await settled();
  stop.abort(new Error("enough"));
  expect(await second).toBe(stop.signal.reason);
  const third = transport.send(get("/third"));
  answer.pass();
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

test("an identity that fails fails the request with its own words", async () => {
  const server = await httpServer((_, response) => reply(response));
  const failed = new Error("expected a token, got none");
  const identity: Identity = { current: () => Promise.reject(failed), refused: () => false };
  expect(await failure(transportTo(server, { identity }).send(get("/")))).toBe(failed);
});

/** Shows `first`, then `second` once refused; says whether asking again helps by `hopeful`. */
function refreshing(hopeful: boolean): Identity & { readonly refusals: RequestAuth[] } {
  const shown = ["first", "second"].map((token) => ({ headers: { authorization: token }, tls: undefined }));
  const refusals: RequestAuth[] = [];
  return {
    refusals,
    current: () => shown[hopeful ? Math.min(refusals.length, 1) : 0] as RequestAuth,
    refused: (presented) => {
      refusals.push(presented);
      return hopeful;
    },
  };
}

test.each(["send", "open"] as const)(
  "%s: 401 refreshes the identity and tries once more, with the whole body",
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

test.each(["send", "open"] as const)("%s: a second 401 is the answer", async (way) => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked += 1;
    reply(response, {}, 401);
  });
  const response = await transportTo(server, { identity: refreshing(true) })[way](get("/"));
  expect([response.status, asked]).toEqual([401, 2]);
});

test("401 is the answer where the identity has nothing newer to show", async () => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked += 1;
    reply(response, {}, 401);
  });
  const identity = refreshing(false);
  const response = await transportTo(server, { identity }).send(get("/"));
  expect([response.status, asked, identity.refusals.length]).toEqual([401, 1, 1]);
});

test("401 to a request with an authorization of its own does not concern the identity", async () => {
  const server = await httpServer((_, response) => reply(response, {}, 401));
  const identity = refreshing(true);
  const transport = transportTo(server, { identity });
  await transport.send(get("/", { headers: { authorization: "Bearer own" } }));
  expect(identity.refusals).toEqual([]);
});

test("after close, what is under way has failed and what comes is refused", async () => {
  const asked = gate();
  const server = await httpServer(() => asked.pass());
  const transport = transportTo(server);
  const sent = failure(transport.send(get("/")));
  await asked.passed;
  await transport.close();
  await transport.close();
  expect(await sent).toMatchObject({ name: "ConnectionError", code: "UND_ERR_DESTROYED" });
  expect(String(await failure(transport.send(get("/"))))).toBe(
    `Error: expected an open transport to ${transport.server}, got a closed one`,
  );
  await server.until(0);
});

test("a server that answers something other than HTTP is named so", async () => {
  const server = await tcpServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
  const transport = transportTo(server);
  await expect(transport.send(get("/api"))).rejects.toThrow(
    `expected an answer to GET /api from ${transport.server}, got HPE_INVALID (Response does not match the ` +
      "HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)): that is not HTTP; is the port right, and https where it should be? " +
      "(server from a test)",
  );
});
