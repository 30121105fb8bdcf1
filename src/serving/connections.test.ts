import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ClientHttp2Session, connect, createSecureServer, type ServerHttp2Session } from "node:http2";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { createAuthority } from "../certificates/index.ts";
import { Connections, type ConnectionTimeouts } from "./connections.ts";

const timeouts = { headersMs: 5000, idleMs: 60_000, requestMs: 90_000 };
/** More than the buffers of two sockets hold. */
const large = Buffer.alloc(32 * 1024 * 1024);

/** A server with HTTP/2 that responds with a body as long as `x-length` says, and its only client. */
async function served(clock: VirtualClock, settings: { initialWindowSize?: number } = {}) {
  const authority = createAuthority("test");
  const server = createSecureServer(authority.server(["localhost"]));
  const connections = new Connections({ ...timeouts, clock } satisfies ConnectionTimeouts);
  connections.watch(server);
  server.on("request", (request, response) => {
    if (!("stream" in response)) return;
    connections.serve(request, response);
    response.end(large.subarray(0, Number(request.headers["x-length"])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client: ClientHttp2Session = connect(`https://localhost:${port}`, { ca: authority.cert, settings });
  client.on("error", () => {});
  const [session] = (await once(server, "session")) as [ServerHttp2Session];
  return {
    client,
    session,
    connections,
    async [Symbol.asyncDispose]() {
      client.destroy();
      connections.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("the stream of a client with a window of zero is reset in time, and its connection goes on", async () => {
  const clock = new VirtualClock();
  await using server = await served(clock, { initialWindowSize: 0 });
  const stream = server.client.request({ "x-length": "10" });
  await once(stream, "response");
  const closed = once(stream, "close");
  await clock.advance(timeouts.requestMs - 1);
  expect([stream.closed, server.session.destroyed]).toEqual([false, false]);
  await clock.advance(1);
  await closed;
  expect([stream.rstCode, server.session.destroyed]).toEqual([8, false]);
  const next = server.client.request({ "x-length": "0" });
  expect((await once(next.resume(), "response"))[0]).toMatchObject({ ":status": 200 });
});

test("the connection of a client that reads nothing is closed in time", async () => {
  const clock = new VirtualClock();
  const connections = new Connections({ ...timeouts, clock });
  await using server = createHttpServer((request, response) => {
    connections.serve(request, response);
    response.end(large);
  });
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connectTcp((server.address() as AddressInfo).port, "127.0.0.1");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const [, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  const closed = once(response, "close");
  await clock.advance(timeouts.requestMs - 1);
  expect(response.closed).toBe(false);
  await clock.advance(1);
  await closed;
  socket.destroy();
});

test("connections close while a session is destroyed and has not closed yet", async () => {
  const clock = new VirtualClock();
  await using server = await served(clock);
  let closed = false;
  server.session.once("close", () => {
    closed = true;
  });
  server.session.destroy(); // it loses its socket before it closes
  while (!closed) {
    server.connections.close();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(clock.timers).toBe(0);
});
