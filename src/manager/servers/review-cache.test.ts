import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import { ReviewCache } from "./review-cache.ts";

/** A cache whose reviews accept the keys in `valid`, and the list of its reviews. */
class Reviewed {
  readonly clock: VirtualClock = new VirtualClock();
  readonly cache: ReviewCache<string>;
  readonly valid: Set<string> = new Set();
  /** Keys that were reviewed, those that were known marked with `!`. */
  readonly sent: string[] = [];
  failing = false;

  constructor(maxEntries = 10) {
    this.cache = new ReviewCache({ acceptedMs: 1000, refusedMs: 100, maxEntries, clock: this.clock });
  }

  get(key: string): Promise<string | undefined> {
    return this.cache.get(key, async (known) => {
      this.sent.push(known ? `${key}!` : key);
      if (this.failing) throw new Error("503 Service Unavailable");
      return this.valid.has(key) ? `user of ${key}` : undefined;
    });
  }
}

test("accepting and refusing results are cached for their own times", async () => {
  const world = new Reviewed();
  world.valid.add("a");
  expect([await world.get("a"), await world.get("x")]).toEqual(["user of a", undefined]);
  await world.clock.advance(99);
  await Promise.all([world.get("a"), world.get("x")]);
  expect(world.sent).toEqual(["a", "x"]);
  await world.clock.advance(1);
  await Promise.all([world.get("a"), world.get("x")]);
  expect(world.sent).toEqual(["a", "x", "x"]);
  await world.clock.advance(900);
  await world.get("a");
  expect(world.sent).toEqual(["a", "x", "x", "a!"]);
});

test("requests for one key share the review in flight, and its failure", async () => {
  const world = new Reviewed();
  world.failing = true;
  const results = await Promise.allSettled([world.get("a"), world.get("a")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(world.sent).toEqual(["a"]);
});

test("a failed review is not cached, and the key stays known", async () => {
  const world = new Reviewed();
  world.valid.add("a");
  await world.get("a");
  await world.clock.advance(1000);
  world.failing = true;
  await expect(world.get("a")).rejects.toThrow("503");
  world.failing = false;
  expect(await world.get("a")).toBe("user of a");
  expect(world.sent).toEqual(["a", "a!", "a!"]);
});

test("a key that is refused is not known any more", async () => {
  const world = new Reviewed();
  world.valid.add("a");
  await world.get("a");
  world.valid.clear();
  await world.clock.advance(1000);
  expect(await world.get("a")).toBeUndefined();
  await world.clock.advance(100);
  await world.get("a");
  expect(world.sent).toEqual(["a", "a!", "a"]);
});

test("refused keys do not evict accepted ones, and the oldest refused key is evicted first", async () => {
  const world = new Reviewed(2);
  world.valid.add("a");
  for (const key of ["a", "x", "y", "z", "z", "y", "a", "x"]) await world.get(key);
  expect(world.sent).toEqual(["a", "x", "y", "z", "x"]);
});
