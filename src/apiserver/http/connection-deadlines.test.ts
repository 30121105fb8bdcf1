import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { settled, VirtualClock } from "../../base/index.ts";
import { createAuthority } from "../../certificates/index.ts";
import { administrator } from "../auth/authentication.ts";
import type { Handler, UserInfo } from "../types/exchange.ts";
import { bodyTimeoutMs, headerTimeoutMs, idleTimeoutMs } from "./connection-deadlines.ts";
import { type HttpListener, listen } from "./listen.ts";

const authority = createAuthority("trimtab");
const tls = authority.server(["localhost"]);
const hello: Handler = {
  handle: async () => ({ type: "buffered", status: 200, headers: {}, body: "hello" }),
};
const silent: Handler = { handle: () => new Promise(() => {}) };

interface Stage extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly listener: HttpListener;
  /** Opens an HTTP/1.1 connection and sends a text. */
  open(text: string): Promise<TestSocket>;
  /** Resolves when the server has received the headers of a request. */
  readonly headers: Promise<void>;
}

interface TestSocket {
  readonly socket: Socket;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<unknown>;
}

async function started(secure: boolean, handler: Handler = hello): Promise<Stage> {
  const clock = new VirtualClock();
  let resolve = (): void => {};
  const headers = new Promise<void>((done) => {
    resolve = done;
  });
  const authenticate = (): UserInfo => {
    resolve();
    return administrator;
  };
  const authenticator = { open: true, authenticate };
  const listener = await listen(handler, { clock, authenticator, ...(secure && { tls }) });
  const port = Number(new URL(listener.url).port);
  return {
    clock,
    listener,
    headers,
    async open(text) {
      const socket = secure
        ? connectTls({ port, host: "127.0.0.1", ca: authority.cert, servername: "localhost" })
        : connectTcp({ port, host: "127.0.0.1" });
      socket.on("error", () => {}); // a connection that the server destroys may end with an error
      const closed = once(socket, "close");
      await once(socket, secure ? "secureConnect" : "connect");
      socket.write(text);
      socket.resume();
      return { socket, closed };
    },
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

const complete = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

test.each([
  ["plain HTTP", false],
  ["TLS", true],
])("a connection over %s that sends no complete header is closed", async (_, secure) => {
  await using stage = await started(secure);
  const sockets = [await stage.open(""), await stage.open("GET / HTTP/1.1\r\nX-Slow: 1\r\n")];
  await stage.clock.advance(headerTimeoutMs - 1);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(sockets.map(({ socket }) => socket.closed)).toEqual([false, false]);
  for (const { closed } of sockets) await closedInTime(stage, closed, headerTimeoutMs);
});

/**
 * Advances the clock until the connection is closed. The server may start a timer shortly after the client is ready.
 */
async function closedInTime({ clock }: Stage, closed: Promise<unknown>, ms: number): Promise<void> {
  const ended = closed.then(() => true);
  while (!(await Promise.race([ended, settled().then(() => false)]))) await clock.advance(ms);
}

test.each([
  ["plain HTTP", false],
  ["TLS", true],
])("a connection over %s is closed once it has been idle for the idle timeout", async (_, secure) => {
  await using stage = await started(secure);
  const { socket, closed } = await stage.open(complete);
  await once(socket, "data");
  await stage.clock.advance(headerTimeoutMs);
  await settled();
  expect(socket.closed).toBe(false);
  await closedInTime(stage, closed, idleTimeoutMs);
});

test("a connection with a request in flight stays open", async () => {
  await using stage = await started(true, silent);
  const { socket } = await stage.open(complete);
  await stage.headers;
  await stage.clock.advance(10 * idleTimeoutMs);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(socket.closed).toBe(false);
  socket.destroy();
});

test("a request whose body does not arrive in time is aborted", async () => {
  await using stage = await started(true);
  const request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart";
  const { socket, closed } = await stage.open(request);
  await stage.headers;
  await stage.clock.advance(bodyTimeoutMs - 1);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(socket.closed).toBe(false);
  await closedInTime(stage, closed, 1);
});

test("an HTTP/2 session without requests is closed, one with a request is not", async () => {
  await using stage = await started(true, silent);
  const url = stage.listener.url.replace("127.0.0.1", "localhost");
  const [idle, busy] = [connectHttp2(url, { ca: authority.cert }), connectHttp2(url, { ca: authority.cert })];
  for (const session of [idle, busy]) session.on("error", () => {});
  await Promise.all([once(idle, "remoteSettings"), once(busy, "remoteSettings")]);
  const stream = busy.request({ ":path": "/" });
  stream.on("error", () => {}).end();
  await stage.headers;
  const closed = once(idle, "close");
  await closedInTime(stage, closed, headerTimeoutMs);
  expect(busy.destroyed).toBe(false);
  busy.destroy();
});
