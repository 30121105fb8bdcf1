import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import { IdleGarbageCollection } from "./idle-garbage-collection.ts";

const mb = 1024 * 1024;

/** A store on a virtual clock, and the times of collections. */
class World implements Disposable {
  readonly clock = new VirtualClock();
  readonly collections: number[] = [];
  readonly #idle = new IdleGarbageCollection(this.clock, () => this.collections.push(this.clock.monotonic()));
  readonly #startMs = this.clock.monotonic();

  changed(bytes: number): void {
    this.#idle.changed(bytes, this.clock.monotonic());
  }

  get seconds(): number[] {
    return this.collections.map((ms) => (ms - this.#startMs) / 1000);
  }

  [Symbol.dispose](): void {
    this.#idle[Symbol.dispose]();
    expect(this.clock.timers).toBe(0);
  }
}

test("a store that lost half of its pages leads to one collection, 5 s after the last change", async () => {
  using world = new World();
  for (const bytes of [10 * mb, 100 * mb, 60 * mb, 40 * mb]) world.changed(bytes);
  await world.clock.advance(4000);
  world.changed(1 * mb);
  await world.clock.advance(60_000);
  expect(world.seconds).toEqual([10]);
});

test("a store that keeps changing leads to no collection until it is idle", async () => {
  using world = new World();
  world.changed(100 * mb);
  for (let second = 0; second < 60; second++) {
    world.changed(10 * mb);
    await world.clock.advance(1000);
  }
  expect(world.seconds).toEqual([]);
  await world.clock.advance(5000);
  expect(world.seconds).toEqual([65]);
});

test("a store that lost few pages leads to no collection", async () => {
  using world = new World();
  for (const bytes of [100 * mb, 51 * mb, 3 * mb + 50 * mb, 60 * mb]) world.changed(bytes);
  await world.clock.advance(60_000);
  expect(world.seconds).toEqual([]);
});

test("a small store never leads to a collection", async () => {
  using world = new World();
  world.changed(4 * mb);
  world.changed(0);
  await world.clock.advance(60_000);
  expect(world.seconds).toEqual([]);
});

test("a store that grows and shrinks again leads to another collection", async () => {
  using world = new World();
  for (let times = 0; times < 2; times++) {
    world.changed(100 * mb);
    world.changed(0);
    await world.clock.advance(30_000);
  }
  expect(world.seconds).toEqual([5, 35]);
});

test("a closed store leads to no collection", async () => {
  const world = new World();
  world.changed(100 * mb);
  world.changed(0);
  world[Symbol.dispose]();
  await world.clock.advance(60_000);
  expect(world.seconds).toEqual([]);
});
