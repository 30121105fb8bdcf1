import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type Clock, settled, VirtualClock } from "../base/index.ts";
import { type Deliverer, Dispatcher } from "./dispatcher.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { TestInformers } from "./test-informers.fixture.ts";

/** A virtual clock that work advances. */
class WorkingClock implements Clock {
  readonly virtual: VirtualClock = new VirtualClock();
  #workedMs = 0;

  now = (): number => this.virtual.now() + this.#workedMs;
  monotonic = (): number => this.virtual.monotonic() + this.#workedMs;
  timer: Clock["timer"] = (afterMs, run) => this.virtual.timer(afterMs, run);

  work(ms: number): void {
    this.#workedMs += ms;
  }
}

/** A deliverer with this many pieces of work of 4 ms. */
function worker(clock: WorkingClock, log: string[], [name, pieces]: readonly [string, number]): Deliverer {
  let left = pieces;
  return {
    deliver(untilMs) {
      while (left > 0) {
        log.push(`${name}${left}`);
        left -= 1;
        clock.work(4);
        if (left > 0 && clock.monotonic() >= untilMs) return true;
      }
      return false;
    },
  };
}

test("a slice ends after 10 ms, and a deliverer with work left goes to the end of the queue", async () => {
  const clock = new WorkingClock();
  const dispatcher = new Dispatcher(clock);
  const log: string[] = [];
  for (const work of [
    ["a", 7],
    ["b", 1],
    ["c", 4],
  ] as const)
    dispatcher.add(worker(clock, log, work));
  const each: string[][] = [];
  dispatcher.run();
  each.push(log.splice(0));
  dispatcher.run(); // no effect: a slice is scheduled
  while (await clock.virtual.advanceToNext()) each.push(log.splice(0));
  expect(each).toEqual([
    ["a7", "a6", "a5"],
    ["b1", "c4", "c3"],
    ["a4", "a3", "a2"],
    ["c2", "c1", "a1"],
  ]);
});

test("a slice runs after the current task, and not inside another slice", async () => {
  const clock = new WorkingClock();
  const dispatcher = new Dispatcher(clock);
  const log: string[] = [];
  dispatcher.add({
    deliver() {
      dispatcher.add(worker(clock, log, ["inner", 1]));
      dispatcher.run();
      log.push("outer");
      return false;
    },
  });
  dispatcher.runSoon();
  expect(log).toEqual([]);
  await settled();
  expect(log).toEqual(["outer", "inner1"]);
});

test("a slow handler delays neither other handlers nor timers", async () => {
  const clock = new WorkingClock();
  const names = Array.from({ length: 6 }, (_, index) => `${index}`);
  const stream = new Stream().lines(...names.map((name) => added(name, "1")), initialEnd("5"));
  await using world = new TestInformers([stream], { clock });
  const log: string[] = [];
  const maps = world.factory.for(ConfigMap);
  maps.on(({ object }) => {
    log.push(`slow ${object.metadata.name}`);
    clock.work(20);
  });
  maps.on(({ object }) => void log.push(object.metadata.name));
  world.factory.start({ signal: world.ended.signal });
  await settled();
  clock.virtual.timer(0, () => log.push("timer"));
  await clock.virtual.advance(0);
  expect(log).toEqual([
    "slow 0",
    ...names,
    "slow 1",
    "timer",
    ...names.slice(2).map((name) => `slow ${name}`),
  ]);
});

test("reading stops while a thousand events wait for a handler, and resumes when they are delivered", async () => {
  const clock = new WorkingClock();
  const names = Array.from({ length: 1500 }, (_, index) => `${index}`);
  const stream = new Stream().lines(...names.map((name) => added(name, "1")), initialEnd("5"));
  await using world = new TestInformers([stream], { clock });
  const told: string[] = [];
  world.factory.for(ConfigMap).on(({ type, key }) => {
    told.push(`${type} ${key}`);
    clock.work(10);
  });
  world.factory.start({ signal: world.ended.signal });
  await settled();
  stream.lines(modified("0", "6"));
  expect([told.length, stream.paused]).toEqual([1, true]);
  while (told.length < 1501) await clock.virtual.advanceToNext();
  expect([told.at(-1), stream.paused]).toEqual(["updated home/0", false]);
});

test("a late handler is synced when it has received all cached objects, even over several slices", async () => {
  const clock = new WorkingClock();
  const stream = new Stream().lines(...["a", "b", "c"].map((name) => added(name, "1")), initialEnd("5"));
  await using world = new TestInformers([stream], { clock });
  const maps = world.factory.for(ConfigMap);
  world.factory.start({ signal: world.ended.signal });
  await maps.synced;
  const log: string[] = [];
  const { synced } = maps.on(({ key }) => {
    log.push(key);
    clock.work(20);
  });
  void synced.then(() => log.push("synced"));
  await settled();
  expect(log).toEqual(["home/a"]);
  await clock.virtual.advance(0);
  expect(log).toEqual(["home/a", "home/b", "home/c", "synced"]);
});

test("closing a handler that is behind resumes reading", async () => {
  const clock = new WorkingClock();
  const names = Array.from({ length: 1500 }, (_, index) => `${index}`);
  const stream = new Stream().lines(...names.map((name) => added(name, "1")), initialEnd("5"));
  await using world = new TestInformers([stream], { clock });
  const maps = world.factory.for(ConfigMap);
  let told = 0;
  const slow = maps.on(() => {
    told += 1;
    clock.work(10);
  });
  world.factory.start({ signal: world.ended.signal });
  await settled();
  stream.lines(modified("0", "6"));
  expect([told, stream.paused]).toEqual([1, true]);
  await slow.close();
  await settled();
  expect([told, stream.paused]).toEqual([1, false]);
  expect(maps.lister.get("home/0")?.metadata.resourceVersion).toBe("6");
});
