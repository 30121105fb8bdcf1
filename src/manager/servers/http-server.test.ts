import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { ConfigError } from "../../client/index.ts";
import { type HttpHandler, HttpServer, type HttpServerOptions, text } from "./http-server.ts";

const local = { name: "metrics", host: "127.0.0.1", port: 0 };

function server(handler: HttpHandler, options: Partial<HttpServerOptions> = {}): HttpServer {
  return new HttpServer({ ...local, handler, ...options });
}

test("the handler receives path and query, and the client its response", async () => {
  await using pages = server(({ method, path, query }) => text(418, `${method} ${path} ${query.get("x")}`));
  const response = await fetch(`http://127.0.0.1:${await pages.listen()}/a/b?x=1`);
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    418,
    "text/plain; charset=utf-8",
    "GET /a/b 1",
  ]);
});

test("a body may be a stream", async () => {
  await using pages = server(() => ({ status: 200, body: Readable.from(["one ", "two"]) }));
  const response = await fetch(`http://127.0.0.1:${await pages.listen()}/`);
  expect(await response.text()).toBe("one two");
});

test("the response to HEAD has no body, and writing methods are refused", async () => {
  await using pages = server(() => text(200, "all of it"));
  const url = `http://127.0.0.1:${await pages.listen()}/`;
  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const post = await fetch(url, { method: "POST", body: "x" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("a request with a body is refused, and its connection is closed", async () => {
  await using pages = server(() => text(200, "ok"));
  const port = await pages.listen();
  for (const body of ["content-length: 5\r\n\r\nhello", "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nhost: here\r\n${body}`);
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 413 /);
  }
});

test("headers of more than 32 KiB are refused", async () => {
  await using pages = server(({ address }) => text(200, address));
  const url = `http://127.0.0.1:${await pages.listen()}/`;
  const statusOf = async (length: number): Promise<number> =>
    (await fetch(url, { headers: { authorization: `Bearer ${"a".repeat(length)}` } })).status;
  expect([await statusOf(20_000), await statusOf(40_000)]).toEqual([200, 431]);
});

test("an error of a handler is logged, and the client does not see it", async () => {
  const logged: LogEntry[] = [];
  const error = new Error("internal detail");
  const failing: HttpHandler = () => {
    throw error;
  };
  await using pages = server(failing, { log: loggerTo((entry) => logged.push(entry)) });
  const response = await fetch(`http://127.0.0.1:${await pages.listen()}/here`);
  expect([response.status, await response.text()]).toEqual([500, "internal server error\n"]);
  expect(logged).toEqual([
    {
      level: "error",
      message: "request handler failed",
      fields: { server: "metrics", path: "/here", error },
    },
  ]);
});

test("the error for a port in use names the port, the server and the option", async () => {
  await using first = server(() => text(200, ""));
  const port = await first.listen();
  await using second = server(() => text(200, ""), { port });
  const error: unknown = await second.listen().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toHaveProperty(
    "message",
    `expected to listen on port ${port} of 127.0.0.1 for metrics, got EADDRINUSE: another process listens there; ` +
      "choose another with manager({ metrics: { port } }), or turn it off with metrics: false",
  );
});

test("close immediately ends keep-alive connections and those without a request", async () => {
  await using pages = server(() => text(200, "ok"), { clock: new VirtualClock() });
  const port = await pages.listen();
  const silent = connect(port, "127.0.0.1");
  await once(silent, "connect");
  const keptAlive = connect(port, "127.0.0.1");
  const ended = Promise.all([silent, keptAlive].map((socket) => once(socket.resume(), "close")));
  keptAlive.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await once(keptAlive, "data");
  await pages.close();
  await ended;
});

test("a request in progress is aborted when the server closes, and still gets its response", async () => {
  const arrived = signalled();
  const waits: HttpHandler = async ({ signal }) => {
    arrived.resolve();
    await once(signal, "abort");
    return text(200, "the end");
  };
  await using pages = server(waits);
  const response = fetch(`http://127.0.0.1:${await pages.listen()}/`);
  await arrived.promise;
  await pages.close();
  expect(await (await response).text()).toBe("the end");
});

test("a handler that does not respond after close is cut off after two seconds", async () => {
  const clock = new VirtualClock();
  const arrived = signalled();
  const never: HttpHandler = () => {
    arrived.resolve();
    return new Promise(() => {});
  };
  await using pages = server(never, { clock });
  const response = fetch(`http://127.0.0.1:${await pages.listen()}/`).catch(() => "cut off");
  await arrived.promise;
  const closed = pages.close();
  await clock.advance(2000);
  await closed;
  expect(await response).toBe("cut off");
  expect(clock.timers).toBe(0);
});

test("the signal of a handler aborts when the client disconnects", async () => {
  const arrived = signalled();
  const left = signalled();
  const waits: HttpHandler = async ({ signal }) => {
    arrived.resolve();
    await once(signal, "abort");
    left.resolve();
    return text(200, "");
  };
  await using pages = server(waits);
  const disconnected = new AbortController();
  const response = fetch(`http://127.0.0.1:${await pages.listen()}/`, { signal: disconnected.signal }).catch(
    () => {},
  );
  await arrived.promise;
  disconnected.abort();
  await Promise.all([response, left.promise]);
});

test("a server that never listened can be closed twice", async () => {
  const pages = server(() => text(200, ""));
  await pages.close();
  await pages.close();
});

function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
