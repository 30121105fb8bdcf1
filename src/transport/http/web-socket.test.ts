import { expect, test } from "vitest";
import { settled, VirtualClock } from "../../base/index.ts";
import { ApiError } from "../api-error.ts";
import type { Identity } from "../config/cluster-config.ts";
import { httpServer, reply, transportTo, webSocketServer } from "../local-server.fixture.ts";
import type { MessageConnection, Transport, UpgradeRequest } from "../transport.ts";
import { ConnectionError } from "./connection-error.ts";
import { Dialer } from "./dialer.ts";
import { loadWebSocket } from "./load-web-socket.ts";
import { connectProxy } from "./proxies.fixture.ts";
import { localServer, serversAuthority } from "./servers.fixture.ts";
import { openWebSocket } from "./web-socket.ts";

const request: UpgradeRequest = { method: "GET", path: "/exec?tty=true", protocol: "v5.channel.k8s.io" };

/** Opens a WebSocket with a transport. */
async function upgraded(
  transport: Transport,
  more: Partial<UpgradeRequest> = {},
): Promise<MessageConnection> {
  const connection = await transport.upgrade?.({ ...request, ...more });
  return connection ?? expect.fail("expected a transport that opens WebSockets");
}

/** Returns the messages until the end, and the error if it is not a normal one. */
function received(connection: MessageConnection): Promise<unknown[]> {
  const messages: unknown[] = [];
  return new Promise((resolve) => {
    connection.receive({
      onMessage: (message) => messages.push(message.toString()),
      onEnd: () => resolve(messages),
      onError: (error) => resolve([...messages, error]),
    });
  });
}

test("a WebSocket is opened with the path, headers, credentials and impersonation of the configuration", async () => {
  const server = await webSocketServer((socket, { url, headers }) => {
    const { "impersonate-user": user, authorization, "x-trace": trace, host } = headers;
    socket.send(JSON.stringify({ url, user, authorization, trace, host, protocol: socket.protocol }));
    socket.close(1000);
  });
  const identity: Identity = {
    current: () => ({ headers: { authorization: "Bearer a" }, tls: undefined }),
    refused: () => false,
  };
  const transport = transportTo(server, { basePath: "/base", identity, impersonate: { user: "jane" } });
  const [message] = await received(await upgraded(transport, { headers: { "x-trace": "7" } }));
  expect(JSON.parse(String(message))).toEqual({
    url: "/base/exec?tty=true",
    user: "jane",
    authorization: "Bearer a",
    trace: "7",
    host: `127.0.0.1:${server.port}`,
    protocol: "v5.channel.k8s.io",
  });
});

test("messages go both ways, and those that arrive before a receiver wait for it", async () => {
  const server = await webSocketServer((socket) => {
    socket.send("early");
    socket.on("message", (data) => {
      socket.send(`got ${String(data)}`);
      socket.close(1000);
    });
  });
  const connection = await upgraded(transportTo(server));
  await new Promise<unknown>((sent) => connection.send(Buffer.from("a"), sent));
  expect(await received(connection)).toEqual(["early", "got a"]);
  await connection.closed;
});

test("the certificate of the server is checked", async () => {
  const server = await webSocketServer((socket) => socket.close(1000), { tls: localServer });
  const trusted = transportTo(server, { tls: { ca: serversAuthority, insecure: false } });
  expect(await received(await upgraded(trusted))).toEqual([]);
  const untrusted = transportTo(server, { tls: { insecure: false } });
  await expect(upgraded(untrusted)).rejects.toThrow("its certificate is not trusted");
});

test("a WebSocket goes through the proxy of the configuration", async () => {
  const server = await webSocketServer((socket) => socket.close(1000), { tls: localServer });
  const proxy = await connectProxy();
  const tls = { ca: serversAuthority, insecure: false };
  const transport = transportTo(server, { tls, proxyUrl: `http://${proxy.host}` });
  expect(await received(await upgraded(transport))).toEqual([]);
  expect(proxy.requests).toEqual([`127.0.0.1:${server.port}`]);
});

test("after a 401, the WebSocket is opened with newer credentials", async () => {
  let token = "old";
  const identity: Identity = {
    current: () => ({ headers: { authorization: `Bearer ${token}` }, tls: undefined }),
    refused() {
      token = "new";
      return true;
    },
  };
  const server = await webSocketServer((socket) => socket.close(1000), {
    accepts: ({ headers }) => headers.authorization === "Bearer new",
  });
  expect(await received(await upgraded(transportTo(server, { identity })))).toEqual([]);
  expect(server.accepted).toBe(2);
});

test("a server that refuses the WebSocket is an ApiError with its Status", async () => {
  const status = { kind: "Status", code: 404, reason: "NotFound", message: 'pods "a" not found' };
  const server = await httpServer((_request, response) => reply(response, status, 404));
  const error: unknown = await upgraded(transportTo(server)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 404,
    message: 'expected success of GET /exec?tty=true, got 404 NotFound: pods "a" not found',
  });
});

test("a server without WebSockets and no server at all are errors that name the request", async () => {
  const closed = await httpServer(() => {});
  const { port } = closed;
  const transport = transportTo({ port });
  await closed.close();
  await expect(upgraded(transport)).rejects.toThrow(
    /^expected a response to GET \/exec\?tty=true from http:\S+, got .*ECONNREFUSED/,
  );
});

test("if beforeSend throws, nothing is sent", async () => {
  let requests = 0;
  const server = await webSocketServer(() => {
    requests += 1;
  });
  const beforeSend = (): void => {
    throw new Error("not the leader");
  };
  await expect(upgraded(transportTo(server), { beforeSend })).rejects.toThrow("not the leader");
  await server.until(0);
  expect(requests).toBe(0);
});

test("an abort ends the WebSocket with its reason, before and after it is open", async () => {
  const server = await webSocketServer(() => {});
  const stop = new AbortController();
  const transport = transportTo(server);
  const over = received(await upgraded(transport, { signal: stop.signal }));
  const reason = new Error("enough");
  stop.abort(reason);
  expect(await over).toEqual([reason]);
  await expect(upgraded(transport, { signal: stop.signal })).rejects.toBe(reason);
  await server.until(0);
});

test("an abort ends the wait for a server that does not respond", async () => {
  const server = await httpServer(() => arrived());
  let arrived = (): void => {};
  const requested = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const stop = new AbortController();
  const opening = upgraded(transportTo(server), { signal: stop.signal });
  await requested;
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toThrow("enough");
  await server.until(0);
});

test.each([
  ["breaks", 1006, /got UND_ERR_SOCKET \(other side closed\)/],
  ["is closed with an error", 1011, /got WS_1011 \(WebSocket closed with 1011: no container\)/],
])("a connection that %s is an error", async (_, code, message) => {
  const server = await webSocketServer((socket) =>
    code === 1006 ? socket.terminate() : socket.close(code, "no container"),
  );
  const [error] = await received(await upgraded(transportTo(server)));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toMatch(message);
});

test("closing the transport ends its WebSockets", async () => {
  const server = await webSocketServer(() => {});
  const transport = transportTo(server);
  const over = received(await upgraded(transport));
  await transport.close();
  expect(await over).toEqual([expect.any(ConnectionError)]);
  await server.until(0);
});

test("closing a WebSocket closes its connection, and the receiver gets nothing", async () => {
  const server = await webSocketServer(() => {});
  const connection = await upgraded(transportTo(server));
  let calls = 0;
  const count = (): void => {
    calls += 1;
  };
  connection.receive({ onMessage: count, onEnd: count, onError: count });
  connection.close();
  await connection.closed;
  await server.until(0);
  expect(calls).toBe(0);
});

test("a server that does not respond to pings is an error", async () => {
  const clock = new VirtualClock();
  const server = await webSocketServer((socket) => socket.pause());
  const { buildConnector } = await import("undici");
  const { port } = server;
  const target = { protocol: "http:", hostname: "127.0.0.1", host: `127.0.0.1:${port}`, port: String(port) };
  const dialer = new Dialer({ tls: undefined, proxyUrl: undefined, timeoutMs: 1000, target, buildConnector });
  const { connection } = await openWebSocket({
    openSocket: () => dialer.open(undefined),
    url: `ws://127.0.0.1:${port}/`,
    headers: [],
    protocol: "v5.channel.k8s.io",
    signal: undefined,
    beforeSend: undefined,
    responseTimeoutMs: 20_000,
    describe: (error) => error,
    clock,
  });
  const over = connection && received(connection);
  await clock.advance(30_000);
  await settled();
  expect(await over).toEqual([
    expect.objectContaining({ message: "the server was silent for 25000 ms", code: "ETIMEDOUT" }),
  ]);
  expect(clock.timers).toBe(0);
});

test("a missing package ws is an error with the command that installs it", async () => {
  const missing = Object.assign(new Error("Cannot find package 'ws'"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(loadWebSocket(() => Promise.reject(missing))).rejects.toThrow(
    "expected the package ws for exec and attach, got none; install it: npm install ws",
  );
});
