import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { entryOf, thing } from "./objects.fixture.ts";
import { release, retain, Slab } from "./slab.ts";

/** Returns an incoming entry of about a kilobyte. */
function incoming(slab: Slab, name: string, version: number): Entry {
  return entryOf(thing(`a/${name}`, version, { spec: "x".repeat(1000) }), slab);
}

/** Returns a stored entry of about a kilobyte. */
function stored(slab: Slab, name: string, version: number): Entry {
  const entry = incoming(slab, name, version);
  slab.store(entry);
  return entry;
}

function versionIn(entry: Entry): string | undefined {
  return entry.parse().metadata.resourceVersion;
}

const isFreed = (entry: Entry): boolean => typeof entry.memory === "symbol";
const isOnHeap = (entry: Entry): boolean => typeof entry.memory === "string";

test("a dropped block that is not retained is freed and cannot be read", () => {
  const slab = new Slab();
  const entry = stored(slab, "b", 1);
  slab.drop(entry);
  expect(slab.used).toBe(0);
  expect(() => entry.parse()).toThrow("a/b already freed: retain an entry before its version is replaced");
  expect(() => slab.store(entry)).toThrow("block already freed");
});

test("a retained block stays readable after it is dropped, until its last reference is released", () => {
  const slab = new Slab();
  const entry = stored(slab, "b", 1);
  retain(entry);
  retain(entry);
  slab.drop(entry);
  release(entry);
  expect(versionIn(entry)).toBe("1");
  release(entry);
  expect(isFreed(entry)).toBe(true);
});

test("an incoming block that is dropped is freed", () => {
  const slab = new Slab();
  const entry = incoming(slab, "b", 1);
  expect(slab.used).toBe(entry.length);
  slab.drop(entry);
  expect([slab.used, isFreed(entry)]).toEqual([0, true]);
});

test("a dropped block that is stored again counts as used", () => {
  const slab = new Slab();
  const entry = stored(slab, "b", 1);
  retain(entry);
  slab.drop(entry);
  slab.store(entry);
  expect([slab.used, versionIn(entry)]).toEqual([entry.length, "1"]);
});

test("retained versions move to the heap when their page is compacted, and can be read and stored again", () => {
  const slab = new Slab();
  const old = Array.from({ length: 100 }, (_, at) => stored(slab, String(at), 1));
  for (const entry of old) retain(entry);
  for (const entry of old) {
    stored(slab, entry.name, 2);
    slab.drop(entry);
  }
  expect(slab.size).toBeLessThan(1.25 * slab.used + 2 * 16 * 1024);
  expect(old.filter(isOnHeap).length).toBeGreaterThan(50);
  expect(old.map(versionIn)).toEqual(old.map(() => "1"));
  for (const entry of old) slab.store(entry);
  expect([old.filter(isOnHeap), old.map(versionIn)]).toEqual([[], old.map(() => "1")]);
});

test("a page without blocks is reused", () => {
  const slab = new Slab();
  const first = Array.from({ length: 20 }, (_, at) => stored(slab, String(at), 1));
  const memories = new Set(first.map(({ memory }) => memory));
  const bytes = new Set(
    [...memories].flatMap((memory) => (typeof memory === "object" ? [memory.bytes] : [])),
  );
  for (const entry of first) slab.drop(entry);
  const again = Array.from({ length: 40 }, (_, at) => stored(slab, String(at), 2));
  const reused = again.filter(({ memory }) => typeof memory === "object" && bytes.has(memory.bytes));
  expect(reused.length).toBeGreaterThan(10);
});

test("few objects that change often use few pages", () => {
  const slab = new Slab();
  let last = stored(slab, "b", 0);
  for (let version = 1; version < 5000; version++) {
    const next = stored(slab, "b", version);
    slab.drop(last);
    last = next;
  }
  expect(slab.size).toBeLessThanOrEqual(2 * 16 * 1024);
});

test("an object larger than a page gets its own page", () => {
  const slab = new Slab();
  const large = thing("a/large", 1, { spec: "x".repeat(3_000_000) });
  const entries = [thing("a/b", 1), large, thing("a/c", 2)].map((object) => entryOf(object, slab));
  for (const entry of entries) slab.store(entry);
  expect(entries.map((entry) => entry.parse())).toEqual([thing("a/b", 1), large, thing("a/c", 2)]);
  expect(entries[0]?.memory).toBe(entries[2]?.memory);
  for (const entry of entries) slab.drop(entry);
  expect(slab.size).toBeLessThanOrEqual(16 * 1024);
});

interface Step {
  readonly key: number;
  /** True if a reader retains the previous version. */
  readonly retains: boolean;
  /** True if a reader releases the version that was retained first. */
  readonly releases: boolean;
  /** True if the new version is dropped before it is stored. */
  readonly unused: boolean;
}

/** Objects that change, and readers that retain earlier versions. */
class World {
  readonly slab = new Slab();
  readonly stored = new Map<number, Entry>();
  readonly retained: Entry[] = [];
  #version = 0;

  go({ key, retains, releases, unused }: Step): void {
    const entry = incoming(this.slab, String(key), ++this.#version);
    if (unused) this.slab.drop(entry);
    else this.#replace(key, entry, retains);
    const done = releases ? this.retained.shift() : undefined;
    if (done) release(done);
  }

  #replace(key: number, entry: Entry, retains: boolean): void {
    const before = this.stored.get(key);
    this.slab.store(entry);
    this.stored.set(key, entry);
    if (!before) return;
    if (retains) retain(before);
    if (retains) this.retained.push(before);
    this.slab.drop(before);
  }
}

test("stored and retained versions keep their content, and pages are at most a quarter larger than the stored blocks", () => {
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
      const readable = [...world.stored.values(), ...world.retained];
      expect(readable.map(versionIn)).toEqual(readable.map(({ resourceVersion }) => resourceVersion));
      const bytes = Array.from(world.stored.values(), ({ length }) => length).reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(world.slab.used).toBe(bytes);
      expect(world.slab.size).toBeLessThanOrEqual(1.25 * bytes + 2 * 16 * 1024);
    }),
    { numRuns: 20 },
  );
});
