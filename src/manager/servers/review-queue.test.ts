import { expect, test } from "vitest";
import { settled, VirtualClock } from "../../base/index.ts";
import { ReviewQueue, type ReviewQueueOptions, TooManyReviewsError } from "./review-queue.ts";

const limits = { maxInFlight: 2, maxQueued: 3, maxPerCaller: 10, maxWaitMs: 5000, perSecond: 100 };

/** A queue on virtual time. The test ends its reviews. */
class Queued {
  readonly clock: VirtualClock = new VirtualClock();
  readonly #queue: ReviewQueue;
  /** Events in their order. */
  readonly log: string[] = [];
  readonly #ends = new Map<string, () => void>();

  constructor(options: Partial<ReviewQueueOptions> = {}) {
    this.#queue = new ReviewQueue({ ...limits, clock: this.clock, ...options });
  }

  /** Runs a review of this name. */
  run(name: string, caller = name): void {
    const review = (): Promise<void> => {
      this.log.push(`${name} started`);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    };
    const onError = (error: unknown): void => {
      const text = error instanceof TooManyReviewsError ? "throttled" : String(error);
      this.log.push(`${name}: ${text}`);
    };
    this.#queue.run(caller, review).then(() => this.log.push(`${name} ended`), onError);
  }

  /** Ends reviews, and returns the events since the last call. */
  async events(...names: readonly string[]): Promise<string[]> {
    await settled();
    for (const name of names) this.#ends.get(name)?.();
    await settled();
    return this.log.splice(0);
  }
}

test("reviews beyond the limit wait in order, and those beyond the queue are throttled", async () => {
  const world = new Queued();
  for (const name of ["a", "b", "c", "d", "e", "f"]) world.run(name);
  expect(await world.events()).toEqual(["a started", "b started", "f: throttled"]);
  expect(await world.events("b")).toEqual(["b ended", "c started"]);
  world.run("g");
  expect(await world.events("a", "c", "d", "e", "g")).toEqual([
    "a ended",
    "c ended",
    "d started",
    "e started",
  ]);
  expect(await world.events("d", "e", "g")).toEqual(["d ended", "e ended", "g started"]);
  expect(await world.events("g")).toEqual(["g ended"]);
  expect(world.clock.timers).toBe(0);
});

test("a caller with too many pending reviews is throttled while another is served", async () => {
  const world = new Queued({ maxPerCaller: 2, maxInFlight: 1 });
  for (const name of ["a1", "a2", "a3"]) world.run(name, "a");
  world.run("b1", "b");
  expect(await world.events()).toEqual(["a1 started", "a3: throttled"]);
  expect(await world.events("a1")).toEqual(["a1 ended", "a2 started"]);
  world.run("a4", "a");
  expect(await world.events("a2")).toEqual(["a2 ended", "b1 started"]);
});

test("a review that waits too long is throttled, and leaves its place", async () => {
  const world = new Queued({ maxInFlight: 1, maxQueued: 1 });
  world.run("a");
  world.run("b");
  await world.clock.advance(4999);
  expect(await world.events()).toEqual(["a started"]);
  await world.clock.advance(1);
  expect(await world.events()).toEqual(["b: throttled"]);
  world.run("c");
  expect(await world.events("a")).toEqual(["a ended", "c started"]);
});

test("reviews start at the given rate after a burst of twice as many", async () => {
  const world = new Queued({ perSecond: 1, maxInFlight: 4 });
  for (const name of ["a", "b", "c", "d"]) world.run(name);
  expect(await world.events()).toEqual(["a started", "b started"]);
  await world.clock.advance(999);
  expect(await world.events()).toEqual([]);
  await world.clock.advance(1);
  expect(await world.events()).toEqual(["c started"]);
  await world.clock.advance(1000);
  expect(await world.events()).toEqual(["d started"]);
});

test("a review that fails leaves its place to the next", async () => {
  const clock = new VirtualClock();
  const queue = new ReviewQueue({ ...limits, maxInFlight: 1, clock });
  const first = queue.run("a", () => Promise.reject(new Error("503 Service Unavailable")));
  const second = queue.run("b", async () => "accepted");
  await expect(first).rejects.toThrow("503");
  expect(await second).toBe("accepted");
});

test("an abort rejects queued reviews and those that come later", async () => {
  const ended = new AbortController();
  const world = new Queued({ maxInFlight: 1, signal: ended.signal });
  world.run("a");
  world.run("b");
  await settled();
  ended.abort(new Error("the server closes"));
  expect(await world.events()).toEqual(["a started", "b: Error: the server closes"]);
  world.run("c");
  expect(await world.events()).toEqual(["c: Error: the server closes"]);
  expect(await world.events("a")).toEqual(["a ended"]);
  expect(world.clock.timers).toBe(0);
});
