import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { VirtualClock } from "../base/index.ts";
import { entryOf, thing } from "./objects/objects.fixture.ts";
import { lost, Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, deleted, error, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { type HandlerHost, HandlerSubscription } from "./subscription.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

const filled = (): Stream => new Stream().lines(added("a", "1"), added("b", "2"), initialEnd("5"));
const everything = ["updated home/a@1>1 resync", "updated home/b@2>2 resync"];

test("each handler is resynced at its own interval, and one without an interval never", async () => {
  await using world = new TestInformers([filled()]);
  const maps = world.factory.for(ConfigMap);
  const recorders = [0, 2000, 3000].map((resyncMs) => {
    const recorder = new Recorder();
    maps.on(recorder.handler, { resyncMs });
    return recorder;
  });
  const told = (): number[] => recorders.map((recorder) => recorder.received().length);
  await world.start();
  expect(told()).toEqual([2, 2, 2]);
  const each: number[][] = [];
  for (let second = 1; second <= 6; second++) {
    await world.clock.advance(1000);
    each.push(told());
  }
  expect(each).toEqual([
    [0, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
    [0, 2, 0],
    [0, 0, 0],
    [0, 2, 2],
  ]);
});

test("a resync delivers the cached objects without a request", async () => {
  const stream = filled();
  await using world = new TestInformers([stream], { resyncMs: 30_000 });
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  stream.lines(modified("a", "6"), deleted("b", "7"));
  recorder.received();
  await world.clock.advance(30_000);
  expect(recorder.received()).toEqual(["updated home/a@6>6 resync"]);
  expect(world.transport.paths).toHaveLength(1);
});

test("the interval of a handler overrides the view's, and the view's the factory's", async () => {
  await using world = new TestInformers([filled()], { resyncMs: 2000 });
  const recorders = [new Recorder(), new Recorder(), new Recorder()] as const;
  world.factory.for(ConfigMap).on(recorders[0].handler);
  const slower = world.factory.for(ConfigMap, { resyncMs: 3000 });
  slower.on(recorders[1].handler);
  slower.on(recorders[2].handler, { resyncMs: 4000 });
  await world.start();
  for (const recorder of recorders) recorder.received();
  const first = async (): Promise<unknown[]> => {
    await world.clock.advance(1000);
    return recorders.map((recorder) => recorder.received().length > 0);
  };
  await first();
  expect([await first(), await first(), await first()]).toEqual([
    [true, false, false],
    [false, true, false],
    [true, false, true],
  ]);
});

test("the interval is at least a second", async () => {
  await using world = new TestInformers([filled()]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler, { resyncMs: 1 });
  await world.start();
  recorder.received();
  await world.clock.advance(2000);
  expect(recorder.received()).toEqual([...everything, ...everything]);
});

test("a handler that is behind skips a resync", async () => {
  const clock = new VirtualClock();
  let requests = 0;
  const nothing = (): void => {};
  const host: HandlerHost<ConfigMap> = {
    clock,
    ready: nothing,
    drained: nothing,
    failed: nothing,
    closed: nothing,
    resync() {
      requests += 1;
    },
  };
  await using subscription = new HandlerSubscription<ConfigMap>(nothing, { resyncMs: 1000 }, host);
  subscription.listed();
  await clock.advance(1000);
  subscription.push({ type: "added", entry: entryOf(thing("home/a", 1)), initial: false });
  await clock.advance(5000);
  expect(requests).toBe(1);
  subscription.deliver(Number.POSITIVE_INFINITY);
  await clock.advance(1000);
  expect(requests).toBe(2);
});

test("no handler is resynced before the first list or after it is closed", async () => {
  const stream = new Stream().lines(added("a", "1"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  const subscription = world.factory.for(ConfigMap).on(recorder.handler, { resyncMs: 1000 });
  await world.start();
  await world.clock.advance(5000);
  expect(recorder.received()).toEqual([]);
  stream.lines(initialEnd("5"));
  expect(recorder.received()).toEqual(["added home/a@1 initial"]);
  await subscription.close();
  await world.clock.advance(5000);
  expect(recorder.received()).toEqual([]);
});

test("a handler that closes itself at the end of the first list is not resynced", async () => {
  await using world = new TestInformers([new Stream().lines(added("a", "1"), initialEnd("5"))]);
  const recorder = new Recorder();
  const subscription = world.factory.for(ConfigMap).on(
    (event) => {
      recorder.handler(event);
      void subscription.close();
    },
    { resyncMs: 1000 },
  );
  await world.start();
  await world.clock.advance(5000);
  expect(recorder.received()).toEqual(["added home/a@1 initial"]);
});

test("a handler that closes itself during a resync receives nothing else, from any namespace", async () => {
  const inNamespace = (namespace: string): Stream => {
    const { type, object } = added("a", "1");
    return new Stream().lines(
      { type, object: { ...object, metadata: { ...object.metadata, namespace } } },
      initialEnd("5"),
    );
  };
  await using world = new TestInformers([inNamespace("here"), inNamespace("there")], {
    namespaces: ["here", "there"],
  });
  const told: string[] = [];
  const subscription = world.factory.for(ConfigMap).on(
    (event) => {
      told.push(event.key);
      if (event.type === "updated") void subscription.close();
    },
    { resyncMs: 1000 },
  );
  await world.start();
  await world.clock.advance(1000);
  expect(told).toEqual(["here/a", "there/a", "here/a"]);
});

test("after an outage, a handler receives the changes, and one with a resync everything", async () => {
  const first = filled();
  const second = new Stream().lines(added("a", "1"), added("b", "7"), added("c", "8"), initialEnd("9"));
  await using world = new TestInformers([first, lost("ECONNREFUSED"), second]);
  const maps = world.factory.for(ConfigMap);
  const [once, again] = [new Recorder(), new Recorder()];
  maps.on(once.handler);
  maps.on(again.handler, { resyncMs: 60_000 });
  await world.start();
  for (const recorder of [once, again]) recorder.received();
  first.lines(error(410, "Expired"));
  await world.clock.advance(60_000);
  const changed = ["updated home/b@2>7", "added home/c@8"];
  const all = ["a@1>1", "b@7>7", "c@8>8"].map((each) => `updated home/${each} resync`);
  expect([once.received(), again.received()]).toEqual([changed, [...changed, ...all]]);
});

test("resyncs continue during an outage", async () => {
  const stream = filled();
  await using world = new TestInformers([stream, ...Array.from({ length: 100 }, () => lost("ECONNREFUSED"))]);
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  maps.on(recorder.handler, { resyncMs: 30_000 });
  await world.start();
  recorder.received();
  stream.cut();
  await world.clock.advance(60_000);
  expect([maps.health.phase, recorder.received()]).toEqual(["waiting", [...everything, ...everything]]);
});
