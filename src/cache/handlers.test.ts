import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { settled } from "../base/index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { Recorder, stateOf, TestInformers } from "./test-informers.fixture.ts";

const filled = (): Stream => new Stream().lines(added("a", "1"), added("b", "2"), initialEnd("5"));

test("a late handler receives the cached objects, then changes", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  const late = new Recorder();
  const { synced } = maps.on(late.handler);
  expect(late.received()).toEqual([]);
  stream.lines(modified("a", "6"));
  await synced;
  expect(late.received()).toEqual(["added home/a@1 initial", "added home/b@2 initial", "updated home/a@1>6"]);
});

test("a late handler receives the cached objects without another event", async () => {
  await using world = new TestInformers([filled()]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  const late = new Recorder();
  maps.on(late.handler);
  await settled();
  expect(late.received()).toEqual(["added home/a@1 initial", "added home/b@2 initial"]);
});

test("a function that is added twice receives each event twice, and each subscription is closed separately", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  const one = maps.on(recorder.handler);
  const other = maps.on(recorder.handler);
  await world.start();
  expect(recorder.received()).toHaveLength(4);
  await one.close();
  stream.lines(modified("a", "6"));
  expect(recorder.received()).toEqual(["updated home/a@1>6"]);
  await other.close();
  stream.lines(modified("a", "7"));
  expect(recorder.received()).toEqual([]);
});

test("a handler is synced when it has received the first list, not before", async () => {
  const stream = new Stream().lines(added("a", "1"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const told: string[] = [];
  const subscription = maps.on(({ key }) => void told.push(key));
  await world.start();
  expect([await stateOf(maps.synced), await stateOf(subscription.synced)]).toEqual(["pending", "pending"]);
  stream.lines(added("b", "2"), initialEnd("5"));
  await subscription.synced;
  expect(told).toEqual(["home/a", "home/b"]);
});

test("a handler of an empty collection is synced with the list", async () => {
  await using world = new TestInformers([new Stream().lines(initialEnd("5"))]);
  const { synced } = world.factory.for(ConfigMap).on(() => {});
  await world.start();
  expect(await stateOf(synced)).toBe("resolved");
});

test("an error of a handler is reported, and stops neither it nor other handlers", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const seen: string[] = [];
  const { synced } = maps.on(({ key }) => {
    seen.push(key);
    throw new Error(`no ${key}`);
  });
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  expect(seen).toEqual(["home/a", "home/b"]);
  expect(recorder.received()).toHaveLength(2);
  expect(await stateOf(synced)).toBe("resolved");
  expect(world.logged).toEqual(
    ["home/a", "home/b"].map((key) => ({
      level: "error",
      message: "handler failed",
      fields: { informer: "v1 ConfigMap", key, error: new Error(`no ${key}`) },
    })),
  );
});

test("a rejected promise of a handler is reported", async () => {
  await using world = new TestInformers([filled()]);
  world.factory.for(ConfigMap).on(async ({ key }) => {
    if (key === "home/b") throw new Error("no");
  });
  await world.start();
  expect(world.logged.map(({ message, fields }) => [message, fields.key])).toEqual([
    ["handler failed", "home/b"],
  ]);
});

test("a handler that is closed during a batch receives no further event", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const told: string[] = [];
  const subscription = maps.on(({ key }) => {
    told.push(key);
    void subscription.close();
  });
  await world.start();
  stream.lines(modified("a", "6"));
  expect(told).toEqual(["home/a"]);
  expect(await stateOf(subscription.synced)).toEqual(
    new Error("handler closed before the first list was delivered"),
  );
});

test("closing waits for the promises of that handler, and no others", async () => {
  await using world = new TestInformers([filled()]);
  const maps = world.factory.for(ConfigMap);
  const finish: (() => void)[] = [];
  const slow = maps.on(() => new Promise<void>((resolve) => finish.push(resolve)));
  const quick = maps.on(() => {});
  await world.start();
  const closed = slow.close();
  await quick.close();
  for (const [index, each] of finish.entries()) {
    expect([index, await stateOf(closed)]).toEqual([index, "pending"]);
    each();
    await settled();
  }
  expect([finish.length, await stateOf(closed)]).toEqual([2, "resolved"]);
});

test("closing is allowed twice, before the start and after the end", async () => {
  await using world = new TestInformers();
  const maps = world.factory.for(ConfigMap);
  const subscription = maps.on(() => {});
  await subscription.close();
  await subscription.close();
  const other = maps.on(() => {});
  await world.factory.close();
  await other.close();
});

test("an ended informer accepts no handlers", async () => {
  await using world = new TestInformers([filled()]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  world.ended.abort(new Error("over"));
  await world.settle();
  expect(() => maps.on(() => {})).toThrow("informer of v1 ConfigMap already ended");
  expect(maps.lister.get("home/a")?.metadata.name).toBe("a");
});

test("changes to the objects of a handler affect neither the cache nor other handlers", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const spoil = (map: ConfigMap): void => {
    map.metadata.labels = { spoiled: "yes" };
    map.data = { spoiled: "yes" };
  };
  const clean: unknown[] = [];
  maps.on((event) => {
    spoil(event.object);
    if (event.type === "updated") spoil(event.previous);
  });
  maps.on((event) => {
    clean.push([event.object.metadata.labels, event.object.data]);
    if (event.type === "updated") clean.push([event.previous.metadata.labels, event.previous.data]);
  });
  await world.start();
  stream.lines(modified("a", "6"));
  for (const map of maps.lister.list()) clean.push([map.metadata.labels, map.data]);
  expect(clean).toEqual(clean.map(() => [undefined, undefined]));
  expect(clean).toHaveLength(6);
});

test("handlers may be added and closed by handlers", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const inner = new Recorder();
  const outer = maps.on(() => {
    void outer.close();
    maps.on(inner.handler);
  });
  await world.start();
  stream.lines(modified("b", "6"));
  expect(inner.received()).toEqual([
    "added home/a@1 initial",
    "added home/b@2 initial",
    "updated home/b@2>6",
  ]);
});
