import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { administrator, createApiServer, type FaultRule, listen, withFaults } from "../apiserver/index.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import { ApiError, type Client, ConnectionError, clientFor, clientOver } from "../client/index.ts";
import { inProcessTransport } from "./in-process-transport.ts";

/** A client of a server with injected faults, with or without a socket. */
interface Faulty extends AsyncDisposable {
  readonly client: Client;
  readonly clock: VirtualClock;
  /** Awaits a call while virtual time advances. `result` is "done", a status code with its reason, or an error code. */
  outcome(call: Promise<unknown>): Promise<{ readonly result: unknown; readonly afterMs: number }>;
}

type Way = "in process" | "over HTTP";
const ways: readonly Way[] = ["in process", "over HTTP"];

async function faulty(way: Way, ...rules: readonly FaultRule[]): Promise<Faulty> {
  const clock = new VirtualClock();
  const rng = seededRng(1);
  const server = createApiServer({ clock, rng });
  const handler = withFaults(server, rules, { clock, rng });
  const front = way === "over HTTP" ? await listen(handler) : undefined;
  const options = { namespace: "default", clock, rng };
  const client = front
    ? clientFor({ ...plain, server: front.url }, options)
    : clientOver(inProcessTransport(handler, { user: administrator }), options);
  return {
    client,
    clock,
    outcome: (call) => played(clock, call),
    async [Symbol.asyncDispose]() {
      await client.close();
      await front?.close();
      server.close();
    },
  };
}

const nothing = { headers: {}, tls: undefined };
const plain = {
  namespace: "default",
  origin: "this test",
  identity: { current: () => nothing, refused: () => false },
};

async function played(clock: VirtualClock, call: Promise<unknown>): ReturnType<Faulty["outcome"]> {
  const startMs = clock.monotonic();
  let over = false;
  const result = call
    .then(() => "done", errorText)
    .finally(() => {
      over = true;
    });
  while (!over) await clock.advanceToNext();
  return { result: await result, afterMs: clock.monotonic() - startMs };
}

function errorText(error: unknown): unknown {
  if (error instanceof ApiError) return `${error.code} ${error.reason}`;
  return error instanceof ConnectionError ? error.code : error;
}

const menu = { metadata: { name: "menu" }, data: { soup: "leek" } };
const creates = { verb: "create", resource: "configmaps" } as const;
const watches = { verb: "watch", resource: "configmaps" } as const;

test.each(ways)(
  "%s: a request refused with 429 is retried after Retry-After, and executed once",
  async (way) => {
    await using server = await faulty(way, {
      on: creates,
      which: { first: 2 },
      fault: { type: "refuse", code: 429, retryAfterSeconds: 3 },
    });
    const outcome = await server.outcome(server.client.create(ConfigMap, menu));
    expect(outcome).toEqual({ result: "done", afterMs: 6000 });
  },
);

test.each(ways)("%s: a 500 response without Retry-After is not retried", async (way) => {
  await using server = await faulty(way, { on: creates, fault: { type: "refuse", code: 500 } });
  const outcome = await server.outcome(server.client.create(ConfigMap, menu));
  expect(outcome).toEqual({ result: "500 InternalError", afterMs: 0 });
});

test.each(ways)(
  "%s: a read whose connection is cut is retried at once, and then once a second",
  async (way) => {
    await using server = await faulty(
      way,
      { on: { verb: "get" }, which: { nth: 1 }, fault: { type: "cut", when: "before" } },
      { on: { verb: "get" }, which: { nth: 2 }, fault: { type: "cut", when: "after" } },
      { on: { verb: "get" }, which: { nth: 3 }, fault: { type: "cut", when: "middle" } },
    );
    await server.client.create(ConfigMap, menu);
    const outcome = await server.outcome(server.client.get(ConfigMap, "menu"));
    expect(outcome).toEqual({ result: "done", afterMs: 2000 });
  },
);

test.each(ways.flatMap((way) => (["before", "after", "middle"] as const).map((when) => ({ way, when }))))(
  "$way: a write whose connection is cut $when is not retried, because it may have been executed",
  async ({ way, when }) => {
    await using server = await faulty(way, { on: creates, fault: { type: "cut", when } });
    const outcome = await server.outcome(server.client.create(ConfigMap, menu));
    expect(outcome).toEqual({ result: "UND_ERR_SOCKET", afterMs: 0 });
    expect((await server.client.get(ConfigMap, "menu"))?.data).toEqual(
      when === "before" ? undefined : menu.data,
    );
  },
);

/** Returns the names from a watch's events up to `last`, and the cause of every reconnect. */
async function watched(server: Faulty, last: string): Promise<unknown[]> {
  const story: unknown[] = [];
  const onReconnect = (cause?: Error): void => void story.push(cause ? errorText(cause) : "ended");
  for await (const event of server.client.watch(ConfigMap, { onReconnect })) {
    if (event.type === "bookmark") continue;
    story.push(event.object.metadata.name);
    if (event.object.metadata.name === last) break;
  }
  return story;
}

test.each([
  { type: "break", cause: "UND_ERR_SOCKET" },
  { type: "close", cause: "ended" },
  { type: "freeze", cause: "WATCH_SILENT" },
] as const)("a watch that meets the fault $type resumes without losing an event", async ({ type, cause }) => {
  await using server = await faulty("in process", {
    on: watches,
    which: { first: 1 },
    fault: { type, afterEvents: 1 },
  });
  await server.client.create(ConfigMap, { metadata: { name: "a" } });
  const story = watched(server, "d");
  for (const name of ["b", "c", "d"]) await server.client.create(ConfigMap, { metadata: { name } });
  await server.outcome(story);
  expect(await story).toEqual(["a", "b", cause, "c", "d"]);
});

test("over HTTP: a watch whose connection is cut resumes without losing an event", async () => {
  await using server = await faulty("over HTTP", {
    on: watches,
    which: { first: 2 },
    fault: { type: "break", afterEvents: 1 },
  });
  const story: unknown[] = [];
  const onReconnect = (cause?: Error): void => {
    story.push(errorText(cause));
    void server.clock.advance(5000); // longer than the client waits
  };
  const { metadata } = await server.client.create(ConfigMap, menu);
  const events = server.client.watch(ConfigMap, { resourceVersion: metadata.resourceVersion, onReconnect });
  for (const name of ["a", "b", "c"]) await server.client.create(ConfigMap, { metadata: { name } });
  for await (const event of events) {
    if (event.type !== "bookmark") story.push(event.object.metadata.name);
    if (story.at(-1) === "c") break;
  }
  expect(story).toEqual(["a", "HPE_INVALID_EOF_STATE", "b", "HPE_INVALID_EOF_STATE", "c"]);
});

test("an expired watch rejects, so that its reader can list again", async () => {
  await using server = await faulty("in process", { on: watches, fault: { type: "expire" } });
  expect(await server.outcome(watched(server, "never"))).toEqual({ result: "410 Expired", afterMs: 0 });
});
