import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { settled } from "../../base/index.ts";
import { authority, client, rotated } from "../certificates.fixture.ts";
import type { Identity, RequestAuth } from "../config/cluster-config.ts";
import { bodyOf, gate, get, httpServer, reply, transportTo } from "../local-server.fixture.ts";
import { readAll } from "../transport.ts";
import { Notes } from "./open-response.fixture.ts";
import { localServer, serversAuthority } from "./servers.fixture.ts";

test("a connection is reused for the next request of any method", async () => {
  const server = await httpServer(async (request, response) => reply(response, await bodyOf(request)));
  const transport = transportTo(server);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
    for (let round = 0; round < 5; round++) {
      await transport.send({ method, path: "/", ...(method !== "GET" && { body: "{}" }) });
      await settled(); // until undici has released the connection
    }
  }
  expect(server.accepted).toBe(1);
});

test("concurrent requests reuse their connections", async () => {
  const server = await httpServer((_, response) => reply(response));
  const transport = transportTo(server);
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 16 }, () => transport.send(get("/"))));
  }
  expect(server.accepted).toBeGreaterThanOrEqual(16);
  expect(server.accepted).toBeLessThanOrEqual(32);
});

test("requests beyond the connection limit wait", async () => {
  let maxConnections = 0;
  const server = await httpServer((_, response) => {
    maxConnections = Math.max(maxConnections, server.connections);
    reply(response);
  });
  const transport = transportTo(server, { connections: 3 });
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => transport.send(get(`/${index}`))),
  );
  expect([responses.length, maxConnections, server.accepted]).toEqual([100, 3, 3]);
});

test("streams do not count against the connection limit", async () => {
  const server = await httpServer((request, response) =>
    request.url === "/stream" ? response.flushHeaders() : reply(response),
  );
  const transport = transportTo(server, { connections: 1 });
  await Promise.all(Array.from({ length: 4 }, () => transport.open(get("/stream"))));
  await transport.send(get("/"));
  expect(server.connections).toBe(5);
});

/** An identity whose TLS material the test can replace. */
function changeable(first: RequestAuth["tls"]): Identity & { tls: RequestAuth["tls"] } {
  return {
    tls: first,
    current() {
      return { headers: {}, tls: this.tls };
    },
    refused: () => false,
  };
}

test("new TLS material opens new connections, and the old ones close when their requests end", async () => {
  const slow = gate<ServerResponse>();
  const finish = gate();
  const nameOf = (response: ServerResponse): string | undefined =>
    (response.socket as TLSSocket).getPeerCertificate().raw?.toString("base64").slice(-8);
  const server = await httpServer(
    async (request, response) => {
      const name = nameOf(response);
      if (request.url === "/stream") response.flushHeaders();
      if (request.url !== "/") {
        slow.pass(response);
        await finish.passed;
      }
      response.end(name);
    },
    { ...localServer, ca: authority, requestCert: true },
  );
  const trusted = { ca: serversAuthority, insecure: false };
  const identity = changeable({ ...trusted, ...client });
  const transport = transportTo(server, { scheme: "https", identity });
  const before = (await transport.send(get("/"))).body.toString();
  const sent = transport.send(get("/slow"));
  const opened = await transport.open(get("/stream"));
  await slow.passed;
  identity.tls = { ...trusted, ...rotated };
  const after = (await transport.send(get("/"))).body.toString();
  expect(after).not.toBe(before);
  expect(server.connections).toBe(3); // the idle old connection is closed
  finish.pass();
  const old = [(await sent).body.toString(), (await readAll(opened, 100)).toString()];
  expect(old).toEqual([before, before]);
  await server.until(1);
});

test("the same TLS material keeps the connections, even with other headers", async () => {
  const server = await httpServer((_, response) => reply(response), localServer);
  const tls = { ca: serversAuthority, insecure: false };
  let round = 0;
  const identity: Identity = {
    current: () => ({ headers: { authorization: `Bearer ${round++}` }, tls }),
    refused: () => false,
  };
  const transport = transportTo(server, { scheme: "https", identity });
  for (const path of ["/1", "/2", "/3"]) {
    await transport.send(get(path));
    await settled();
  }
  expect(server.accepted).toBe(1);
});

test("closing the transport ends open responses with an error", async () => {
  const requested = gate();
  const server = await httpServer((_, response) => {
    response.flushHeaders();
    requested.pass();
  });
  const transport = transportTo(server);
  const ours = await transport.open(get("/"));
  const notes = new Notes();
  ours.receive(notes);
  await transport.close();
  await notes.over;
  expect(notes.received).toMatchObject([{ name: "ConnectionError", code: "UND_ERR_DESTROYED" }]);
  await server.until(0);
});

test("closing the transport also ends requests on old connections", async () => {
  const requested = gate();
  const server = await httpServer((request, response) => {
    if (request.url === "/stream") response.flushHeaders();
    else reply(response);
    requested.pass();
  }, localServer);
  const identity = changeable({ ca: serversAuthority, insecure: false });
  const transport = transportTo(server, { scheme: "https", identity });
  (await transport.open(get("/stream"))).close(); // an earlier stream that has ended does not count
  const opened = await transport.open(get("/stream"));
  identity.tls = { ca: serversAuthority, insecure: false };
  await transport.send(get("/"));
  const failed = gate<Error>();
  opened.receive({ onChunk() {}, onEnd() {}, onError: failed.pass });
  await transport.close();
  expect(await failed.passed).toMatchObject({ code: "UND_ERR_DESTROYED" });
  await server.until(0);
});

/** Returns the number of resources of `kind` that keep the process alive. */
const active = (kind: string): number =>
  process.getActiveResourcesInfo().filter((one) => one === kind).length;

test("thousands of aborted, closed or ended requests and streams leave no resources behind", async () => {
  const server = await httpServer((request, response) => {
    if (request.url === "/never") return;
    if (request.url === "/stream") response.write("some");
    else reply(response, {}, request.url === "/gone" ? 410 : 200);
  });
  const transport = transportTo(server);
  const shared = new AbortController().signal;
  const timers = active("Timeout");
  const aborted = async (way: "send" | "open"): Promise<unknown> => {
    const stop = new AbortController();
    const call = transport[way](get("/never", { signal: AbortSignal.any([shared, stop.signal]) }));
    setImmediate(() => stop.abort());
    return call.catch(() => undefined);
  };
  const uses: (() => Promise<unknown>)[] = [
    () => transport.send(get("/", { signal: shared })),
    () => aborted("send"),
    () => aborted("open"),
    async () => (await transport.open(get("/stream", { signal: shared }))).close(),
    async () => readAll(await transport.open(get("/gone", { signal: shared })), 100),
    async () => {
      const opened = await transport.open(get("/stream", { signal: shared }));
      const come = gate<Buffer>();
      opened.receive({ onChunk: come.pass, onEnd() {}, onError() {} });
      await come.passed;
      opened.close();
    },
  ];
  for (let round = 0; round < 25; round++) {
    await Promise.all(Array.from({ length: 20 }, () => uses).flatMap((all) => all.map((use) => use())));
  }
  expect(getEventListeners(shared, "abort")).toEqual([]);
  await transport.close();
  await server.until(0);
  await settled();
  expect(active("TCPSocketWrap")).toBe(0);
  expect(active("Timeout")).toBeLessThanOrEqual(timers);
});
