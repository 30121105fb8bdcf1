import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { entryOf, thing } from "./objects.fixture.ts";
import { release, retain, Slab } from "./slab.ts";

/** An entry of about a kilobyte. */
function made(slab: Slab, name: string, version: number): Entry {
  return entryOf(thing(`a/${name}`, version, { spec: "x".repeat(1000) }), slab);
}

/** The same, held. */
function held(slab: Slab, name: string, version: number): Entry {
  const entry = made(slab, name, version);
  slab.hold(entry);
  return entry;
}

function versionIn(entry: Entry): string | undefined {
  return entry.parse().metadata.resourceVersion;
}

const isFreed = (entry: Entry): boolean => typeof entry.memory === "symbol";
const isOnHeap = (entry: Entry): boolean => typeof entry.memory === "string";

test("a block that is dropped and not retained is freed, and cannot be read", () => {
  const slab = new Slab();
  const entry = held(slab, "b", 1);
  slab.drop(entry);
  expect(slab.used).toBe(0);
  expect(() => entry.parse()).toThrow("expected a/b to be retained by its reader, got it freed");
  expect(() => slab.hold(entry)).toThrow("expected a block with its bytes, got a freed one");
});

test("a block that is retained can be read after it was dropped, until the last one releases it", () => {
  const slab = new Slab();
  const entry = held(slab, "b", 1);
  retain(entry);
  retain(entry);
  slab.drop(entry);
  release(entry);
  expect(versionIn(entry)).toBe("1");
  release(entry);
  expect(isFreed(entry)).toBe(true);
});

test("an incoming block that the store does not take is freed", () => {
  const slab = new Slab();
  const entry = made(slab, "b", 1);
  expect(slab.used).toBe(entry.length);
  slab.drop(entry);
  expect([slab.used, isFreed(entry)]).toEqual([0, true]);
});

test("a dropped block that is held again counts again", () => {
  const slab = new Slab();
  const entry = held(slab, "b", 1);
  retain(entry);
  slab.drop(entry);
  slab.hold(entry);
  expect([slab.used, versionIn(entry)]).toEqual([entry.length, "1"]);
});

test("retained versions move to the heap when their page is needed, and can be read and held again", () => {
  const slab = new Slab();
  const old = Array.from({ length: 100 }, (_, at) => held(slab, String(at), 1));
  for (const entry of old) retain(entry);
  for (const entry of old) {
    held(slab, entry.name, 2);
    slab.drop(entry);
  }
  expect(slab.size).toBeLessThan(1.25 * slab.used + 2 * 16 * 1024);
  expect(old.filter(isOnHeap).length).toBeGreaterThan(50);
  expect(old.map(versionIn)).toEqual(old.map(() => "1"));
  for (const entry of old) slab.hold(entry);
  expect([old.filter(isOnHeap), old.map(versionIn)]).toEqual([[], old.map(() => "1")]);
});

test("a page without blocks is reused", () => {
  const slab = new Slab();
  const first = Array.from({ length: 20 }, (_, at) => held(slab, String(at), 1));
  const memories = new Set(first.map(({ memory }) => memory));
  const bytes = new Set(
    [...memories].flatMap((memory) => (typeof memory === "object" ? [memory.bytes] : [])),
  );
  for (const entry of first) slab.drop(entry);
  const again = Array.from({ length: 40 }, (_, at) => held(slab, String(at), 2));
  const reused = again.filter(({ memory }) => typeof memory === "object" && bytes.has(memory.bytes));
  expect(reused.length).toBeGreaterThan(10);
});

test("a few objects that change all the time take little", () => {
  const slab = new Slab();
  let last = held(slab, "b", 0);
  for (let version = 1; version < 5000; version++) {
    const next = held(slab, "b", version);
    slab.drop(last);
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
  expect(entries[0]?.memory).toBe(entries[2]?.memory);
  for (const entry of entries) slab.drop(entry);
  expect(slab.size).toBeLessThanOrEqual(16 * 1024);
});

interface Step {
  readonly key: number;
  /** Whether somebody retains the version before. */
  readonly retains: boolean;
  /** Whether somebody releases what he retained first. */
  readonly releases: boolean;
  /** Whether the new version is dropped before it is held. */
  readonly unused: boolean;
}

/** Objects that change, and readers of their earlier versions. */
class World {
  readonly slab = new Slab();
  readonly held = new Map<number, Entry>();
  readonly retained: Entry[] = [];
  #version = 0;

  go({ key, retains, releases, unused }: Step): void {
    const entry = made(this.slab, String(key), ++this.#version);
    if (unused) this.slab.drop(entry);
    else this.#replace(key, entry, retains);
    const done = releases ? this.retained.shift() : undefined;
    if (done) release(done);
  }

  #replace(key: number, entry: Entry, retains: boolean): void {
    const before = this.held.get(key);
    this.slab.hold(entry);
    this.held.set(key, entry);
    if (!before) return;
    if (retains) retain(before);
    if (retains) this.retained.push(before);
    this.slab.drop(before);
  }
}

test("whatever is held or retained says what it said, and pages are at most a quarter larger than what is held", () => {
  const step = fc.record({
    key: fc.nat(60),
    retains: fc.boolean(),
    releases: fc.boolean(),
    unused: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 500, maxLength: 1000 }), (steps) => {
      const world = new World();
      for (const each of steps) world.go(each);
      const readable = [...world.held.values(), ...world.retained];
      expect(readable.map(versionIn)).toEqual(readable.map(({ resourceVersion }) => resourceVersion));
      const bytes = Array.from(world.held.values(), ({ length }) => length).reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(world.slab.used).toBe(bytes);
      expect(world.slab.size).toBeLessThanOrEqual(1.25 * bytes + 2 * 16 * 1024);
    }),
    { numRuns: 20 },
  );
});
