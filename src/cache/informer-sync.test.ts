import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { SyncError } from "./index.ts";
import {
  lost,
  type Refusal,
  refused,
  type Scripted,
  Stream,
} from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, list, modified, object } from "./reflector/test-reflector.fixture.ts";
import { stateOf, TestInformers } from "./test-informers.fixture.ts";

/** More refusals than there are requests. */
const always = (refusal: Refusal) => Array.from({ length: 100 }, () => refused(refusal));

const forbidden: Refusal = { code: 403, reason: "Forbidden", message: 'configmaps is forbidden: User "me"' };

test("a missing permission is named after ten seconds", async () => {
  await using world = new TestInformers(always(forbidden));
  const maps = world.factory.for(ConfigMap);
  const { synced } = maps.on(() => {});
  await world.start();
  await world.clock.advance(9_999);
  expect(await stateOf(maps.synced)).toBe("pending");
  await world.clock.advance(1);
  const error = await stateOf(maps.synced);
  expect(error).toBeInstanceOf(SyncError);
  expect(error).toMatchObject({
    kind: ConfigMap,
    message: expect.stringMatching(
      /^expected v1 ConfigMap to be listed within 10000 ms, got expected success of GET .* got 403 Forbidden: configmaps is forbidden: User "me"; grant it a role with the rule { apiGroups: \[""\], resources: \["configmaps"\], verbs: \["get", "list", "watch"\] }$/,
    ),
    cause: { code: 403 },
  });
  expect(await stateOf(synced)).toBe(error);
  expect(await stateOf(world.factory.synced)).toMatchObject({ name: "FactorySyncError", cause: error });
});

test("a missing kind is named", async () => {
  await using world = new TestInformers(always({ code: 404, reason: "NotFound", message: "not found" }));
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(10_000);
  expect(await stateOf(maps.synced)).toMatchObject({
    name: "SyncError",
    message: expect.stringMatching(/404 NotFound: not found; is its CustomResourceDefinition installed\?$/),
  });
});

test("a missing kind that has to be discovered is named", async () => {
  await using world = new TestInformers();
  const foos = world.factory.for(kind({ group: "example.dev", version: "v1", kind: "Foo" }));
  world.transport.send = async () => ({ status: 404, headers: {}, body: Buffer.from("") });
  await world.start();
  await world.clock.advance(10_000);
  expect(await stateOf(foos.synced)).toMatchObject({
    name: "SyncError",
    message:
      "expected example.dev/v1 Foo to be listed within 10000 ms, got expected the server to serve Foo in example.dev/v1, " +
      "got no such group and version; is its CustomResourceDefinition installed?",
  });
});

test("a permission that is granted in time is no error, and one granted later resolves synced", async () => {
  const filled = (): Stream => new Stream().lines(added("a", "1"), initialEnd("5"));
  await using quick = new TestInformers([refused(forbidden), refused(forbidden), filled()]);
  await using slow = new TestInformers([...always(forbidden).slice(0, 20), filled()]);
  const informers = [quick, slow].map((world) => world.factory.for(ConfigMap));
  for (const world of [quick, slow]) {
    await world.start();
    await world.clock.advance(10_000);
  }
  const states = () => Promise.all(informers.map(({ synced }) => stateOf(synced)));
  expect(await states()).toEqual(["resolved", expect.any(SyncError)]);
  await slow.clock.advance(600_000);
  expect(await states()).toEqual(["resolved", "resolved"]);
  await slow.factory.synced;
});

test("a permission that is found missing later is named at once", async () => {
  const away = Array.from({ length: 5 }, () => lost("ECONNREFUSED"));
  await using world = new TestInformers([...away, ...always(forbidden)]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(10_000);
  expect([await stateOf(maps.synced), maps.health.lastError?.message]).toEqual([
    "pending",
    "expected a response, got ECONNREFUSED",
  ]);
  while (world.transport.paths.length <= away.length) await world.clock.advanceToNext();
  await world.settle();
  expect(await stateOf(maps.synced)).toMatchObject({ name: "SyncError", cause: { code: 403 } });
});

test("another failure is named after the time limit", async () => {
  await using world = new TestInformers(
    Array.from({ length: 100 }, () => lost("ECONNREFUSED")),
    { syncTimeoutMs: 60_000 },
  );
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(59_999);
  expect(await stateOf(maps.synced)).toBe("pending");
  await world.clock.advance(1);
  expect(await stateOf(maps.synced)).toMatchObject({
    message: "expected v1 ConfigMap to be listed within 60000 ms, got expected a response, got ECONNREFUSED",
  });
});

test("a server that does not respond is named", async () => {
  await using world = new TestInformers(["never"], { syncTimeoutMs: 30_000 });
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(30_000);
  expect(await stateOf(maps.synced)).toMatchObject({
    message: "expected v1 ConfigMap to be listed within 30000 ms, got no response",
  });
});

test("an incomplete streaming list is reported with its number of objects", async () => {
  const stream = new Stream().lines(added("a", "1"), added("b", "2"));
  await using world = new TestInformers([stream], { syncTimeoutMs: 5000 });
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(4000);
  stream.lines(added("c", "3"));
  await world.clock.advance(1000);
  expect(await stateOf(maps.synced)).toMatchObject({
    message:
      "expected v1 ConfigMap to be listed within 5000 ms, got an incomplete list of 3 objects; " +
      "set a longer syncTimeoutMs",
    cause: undefined,
  });
  stream.lines(initialEnd("5"));
  await world.settle();
  expect(await stateOf(maps.synced)).toBe("resolved");
});

test("an incomplete paged list is reported with its number of objects", async () => {
  const pages = [list("5", [object("a", "1"), object("b", "2")], "more"), "never" as const];
  await using world = new TestInformers([refused({ code: 422, reason: "Invalid" }), ...pages], {
    syncTimeoutMs: 5000,
  });
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.clock.advance(5000);
  expect(await stateOf(maps.synced)).toMatchObject({
    message: expect.stringContaining("got an incomplete list of 2 objects"),
  });
});

test("synced rejects if an informer ends before its first list", async () => {
  await using world = new TestInformers();
  const maps = world.factory.for(ConfigMap);
  const { synced } = maps.on(() => {});
  await world.start();
  world.ended.abort(new Error("received SIGTERM"));
  await world.settle();
  const error = await stateOf(maps.synced);
  expect(error).toMatchObject({
    message: "informer of v1 ConfigMap ended before its first list",
    cause: { message: "received SIGTERM" },
  });
  expect(await stateOf(synced)).toBe(error);
});

test("onWatchError is called for each failure of a list or watch", async () => {
  const told: unknown[] = [];
  await using world = new TestInformers(
    [...always(forbidden).slice(0, 2), new Stream().lines(initialEnd("5"))],
    {
      onWatchError: (error, { kind }) => {
        told.push([kind, error.message]);
        throw new Error("no");
      },
    },
  );
  const maps = world.factory.for(ConfigMap);
  await world.start();
  expect(told).toEqual([["ConfigMap", expect.stringContaining("403 Forbidden")]]);
  expect(maps.health).toMatchObject({ phase: "waiting", lastError: { code: 403 } });
  expect(world.logged.map(({ message }) => message)).toContain("onWatchError failed");
  await world.clock.advance(2000);
  expect(maps.health).toMatchObject({ phase: "watching", lastError: undefined });
});

test("informers share that a server does not support streaming lists", async () => {
  const page = (version: string): Scripted => list(version, []);
  const busy = new Stream().lines(modified("a", "3"));
  await using world = new TestInformers([busy, page("10"), new Stream(), page("20")]);
  world.factory.for(ConfigMap);
  await world.start();
  world.factory.for(Secret);
  await world.start();
  const streamed = world.transport.paths.map((path) => path.includes("sendInitialEvents"));
  expect(streamed).toEqual([true, false, false, false, false]);
});
