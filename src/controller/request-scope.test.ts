import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AbortPool, deferred } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { abortableRequests, RequestScope } from "./request-scope.ts";

type Transport = Client["transport"];
type Upgrade = NonNullable<Transport["upgrade"]>;
type Connection = Awaited<ReturnType<Upgrade>>;

/** A WebSocket that is open until it is closed. */
function openConnection(): Connection {
  const closed = deferred<void>();
  const close = (): void => closed.resolve();
  return { receive() {}, send() {}, pause() {}, resume() {}, close, closed: closed.promise };
}

/** Opens a WebSocket in a scope. `signal` is the one that the transport below gets. */
async function opened(scope: RequestScope, { own, fail }: { own?: AbortSignal; fail?: Error } = {}) {
  const connection = openConnection();
  let signal: AbortSignal | undefined;
  const below: Transport = {
    server: "https://a",
    send: () => Promise.reject(new Error("not used")),
    open: () => Promise.reject(new Error("not used")),
    async upgrade(request) {
      signal = request.signal;
      if (fail) throw fail;
      return connection;
    },
    close: async () => {},
  };
  const request = { method: "GET", path: "/exec", protocol: "v5.channel.k8s.io", signal: own } as const;
  const result = await abortableRequests(below, scope)
    .upgrade?.(request)
    .catch((error: unknown) => error);
  return { connection, result, signal };
}

test("a WebSocket ends with its reconcile's abort, and with its own signal", async () => {
  const scope = new RequestScope(new AbortPool());
  const own = new AbortController();
  const first = await opened(scope);
  const second = await opened(scope, { own: own.signal });
  own.abort(new Error("own"));
  expect([first.signal?.aborted, second.signal?.reason]).toEqual([false, new Error("own")]);
  scope.abort(new Error("too long"));
  expect(first.signal?.reason).toEqual(new Error("too long"));
  expect([first.result, scope.sent]).toEqual([first.connection, 2]);
});

test("a WebSocket that has ended, or could not be opened, leaves no listener on its own signal", async () => {
  const scope = new RequestScope(new AbortPool());
  const own = new AbortController();
  const { connection } = await opened(scope, { own: own.signal });
  expect(getEventListeners(own.signal, "abort")).toHaveLength(1);
  connection.close();
  await connection.closed;
  await opened(scope, { own: own.signal, fail: new Error("refused") });
  expect(getEventListeners(own.signal, "abort")).toHaveLength(0);
});

test("after the end of its reconcile, a WebSocket has its own signal only", async () => {
  const scope = new RequestScope(new AbortPool());
  scope.close();
  const own = new AbortController();
  expect((await opened(scope, { own: own.signal })).signal).toBe(own.signal);
});

test("a transport without WebSockets has none in a scope", () => {
  const below: Transport = {
    server: "https://a",
    send: () => Promise.reject(new Error("not used")),
    open: () => Promise.reject(new Error("not used")),
    close: async () => {},
  };
  expect(abortableRequests(below, new RequestScope(new AbortPool())).upgrade).toBeUndefined();
});
