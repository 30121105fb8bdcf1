import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { entryOf, thing } from "./objects.fixture.ts";
import { Slab } from "./slab.ts";

test("what was written stays readable, kept or not, whatever is written after it", () => {
  const slab = new Slab();
  const texts = Array.from({ length: 2000 }, (_, at) =>
    thing(`a/${at}`, at + 1, { spec: "x".repeat(at % 700) }),
  );
  const entries = texts.map((object) => entryOf(object, slab));
  for (const entry of entries) slab.hold(entry);
  for (const [at, entry] of entries.entries()) if (at % 7 !== 0) slab.release(entry);
  expect(entries.map((entry) => entry.parse())).toEqual(texts);
});

test("the bytes kept are those of what is held", () => {
  const slab = new Slab();
  const one = entryOf(thing("a/b", 1), slab);
  const two = entryOf(thing("a/b", 2, { spec: "longer" }), slab);
  slab.hold(one);
  slab.hold(two);
  expect(slab.kept).toBe(one.length + two.length);
  slab.release(one);
  expect(slab.kept).toBe(two.length);
});

/** Bytes of all pages in which one of these lies. */
function pagesOf(entries: Iterable<Entry>): number {
  const pages = new Set(Array.from(entries, ({ page }) => page.bytes));
  return [...pages].reduce((sum, { length }) => sum + length, 0);
}

test("pages take at most a quarter as much again as what is kept, and one more", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(199), { minLength: 3000, maxLength: 3000 }), (keys) => {
      const slab = new Slab();
      const held = new Map<number, Entry>();
      for (const [at, key] of keys.entries()) {
        const entry = entryOf(thing(`a/${key}`, at + 1, { spec: "x".repeat(1000) }), slab);
        slab.hold(entry);
        const before = held.get(key);
        if (before) slab.release(before);
        held.set(key, entry);
      }
      expect(pagesOf(held.values())).toBeLessThanOrEqual(slab.size);
      expect(slab.size).toBeLessThan(slab.kept * 1.25 + 2 * 64 * 1024);
      expect([...held.keys()].map((key) => held.get(key)?.parse().metadata.name)).toEqual(
        [...held.keys()].map(String),
      );
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

test("what is held only when all of it has been placed is given up as well", () => {
  const slab = new Slab();
  const entries = Array.from({ length: 2000 }, (_, at) =>
    entryOf(thing(`a/${at}`, 1, { spec: "x".repeat(1000) }), slab),
  );
  for (const entry of entries) slab.hold(entry);
  const left = entries.filter((_, at) => at % 100 === 0);
  for (const entry of entries) if (!left.includes(entry)) slab.release(entry);
  expect(pagesOf(left)).toBe(slab.size);
  expect(slab.size).toBeLessThan(1024 * 1024);
  for (const entry of left) slab.release(entry);
  expect(slab.kept).toBe(0);
});

test("a few objects that change all the time take little", () => {
  const slab = new Slab();
  let last = entryOf(thing("a/b", 0), slab);
  slab.hold(last);
  for (let version = 1; version < 5000; version++) {
    const next = entryOf(thing("a/b", version), slab);
    slab.hold(next);
    slab.release(last);
    last = next;
  }
  expect(slab.size).toBeLessThanOrEqual(2 * 16 * 1024);
});

test("an object larger than a page has one of its own", () => {
  const slab = new Slab();
  const large = thing("a/large", 1, { spec: "x".repeat(3_000_000) });
  const entries = [thing("a/b", 1), large, thing("a/c", 2)].map((object) => entryOf(object, slab));
  for (const entry of entries) slab.hold(entry);
  expect(entries.map((entry) => entry.parse())).toEqual([thing("a/b", 1), large, thing("a/c", 2)]);
  expect(entries[0]?.page).toBe(entries[2]?.page);
});

test("a page of which nothing is kept is used again, and what nobody has a claim to is gone", () => {
  const slab = new Slab();
  const first = fill(slab, 1);
  const { page } = first[0] as Entry;
  const second = fill(slab, 2);
  for (const entry of first) slab.release(entry);
  slab.reclaim();
  expect(() => first[0]?.parse()).toThrow("expected a/0 to be read by who has a claim to it, got nobody");
  const third = fill(slab, 3);
  expect(third.some((entry) => entry.page.bytes.buffer === page.bytes.buffer)).toBe(true);
  expect([...second, ...third].map((entry) => entry.resourceVersion)).toEqual(
    [...second, ...third].map((entry) => entry.parse().metadata.resourceVersion),
  );
});

test("a page is used again also where much of it has moved that somebody has a claim to", () => {
  const slab = new Slab();
  const entries = fill(slab, 1);
  const [first] = entries;
  const memory = first?.page.bytes.buffer;
  const moved = entries.filter(({ page }) => page === first?.page).slice(1, 11);
  for (const entry of moved) claim(entry);
  for (const entry of entries) if (!moved.includes(entry)) slab.release(entry); // those that are left move together
  slab.reclaim();
  expect(moved.some(({ page }) => page.bytes.buffer === memory)).toBe(false);
  expect([...fill(slab, 2), ...fill(slab, 3)].some(({ page }) => page.bytes.buffer === memory)).toBe(true);
});

test("what has been placed and is yet to be held is not gone", () => {
  const slab = new Slab();
  const [first, ...others] = fill(slab, 1);
  const fresh = entryOf(thing("a/fresh", 1), slab);
  for (const entry of [...others, ...fill(slab, 2)]) slab.release(entry);
  if (first) slab.release(first);
  slab.reclaim();
  expect(fresh.parse()).toEqual(thing("a/fresh", 1));
  slab.hold(fresh);
  fill(slab, 3);
  slab.reclaim();
  expect(fresh.parse()).toEqual(thing("a/fresh", 1));
});

test("pages that nobody says can be used again are left to the garbage collector, and say what they said", () => {
  const slab = new Slab();
  const entries = Array.from({ length: 1000 }, (_, version) =>
    entryOf(thing("a/b", version, { spec: "x".repeat(1000) }), slab),
  );
  for (const entry of entries) {
    slab.hold(entry);
    slab.release(entry);
  }
  slab.reclaim();
  const gone = entries.filter((entry) => saidBy(entry) === undefined);
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.length).toBeLessThan(100);
});

test("whatever is kept, or somebody has a claim to, says what it said, and what is gone is not read wrong", () => {
  const step = fc.record({
    key: fc.nat(9),
    claims: fc.boolean(),
    lets: fc.boolean(),
    reclaims: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 400 }), (steps) => {
      const world = new Claims();
      for (const each of steps) world.go(each);
      for (const entry of world.readable) expect(saidBy(entry)).toBe(entry.resourceVersion);
      for (const entry of world.all) expect([undefined, entry.resourceVersion]).toContain(saidBy(entry));
    }),
    { numRuns: 30 },
  );
});

interface Step {
  readonly key: number;
  /** Whether somebody has a claim to the version before. */
  readonly claims: boolean;
  /** Whether somebody lets go of what he has. */
  readonly lets: boolean;
  readonly reclaims: boolean;
}

/** Objects that change, and readers of what they were. */
class Claims {
  readonly all: Entry[] = [];
  readonly #slab = new Slab();
  readonly #held = new Map<number, Entry>();
  readonly #claimed: Entry[] = [];

  get readable(): Entry[] {
    return [...this.#held.values(), ...this.#claimed];
  }

  go({ key, claims, lets, reclaims }: Step): void {
    const version = this.all.length + 1;
    const entry = entryOf(thing(`a/${key}`, version, { spec: `${key} `.repeat(700) }), this.#slab);
    this.all.push(entry);
    this.#replace(key, entry, claims);
    const done = lets ? this.#claimed.shift() : undefined;
    if (done) done.claims -= 1;
    if (reclaims) this.#slab.reclaim();
  }

  #replace(key: number, entry: Entry, claims: boolean): void {
    const before = this.#held.get(key);
    this.#slab.hold(entry);
    this.#held.set(key, entry);
    if (before && claims) this.#claimed.push(claim(before));
    if (before) this.#slab.release(before);
  }
}

function claim(entry: Entry): Entry {
  entry.claims += 1;
  return entry;
}

/** `undefined` where it is gone. */
function saidBy(entry: Entry): string | undefined {
  try {
    return entry.parse().metadata.resourceVersion;
  } catch (error) {
    if (String(error).includes("who has a claim to it")) return undefined;
    throw error;
  }
}

/** A page and more of entries that are held. */
function fill(slab: Slab, version: number): Entry[] {
  const entries = Array.from({ length: 20 }, (_, at) =>
    entryOf(thing(`a/${at}`, version, { spec: "x".repeat(1000) }), slab),
  );
  for (const entry of entries) slab.hold(entry);
  return entries;
}
