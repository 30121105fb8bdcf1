import fc from "fast-check";
import { expect, test } from "vitest";
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

test("pages of which little is kept are let go of", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(199), { minLength: 3000, maxLength: 3000 }), (keys) => {
      const slab = new Slab();
      const held = new Map<number, ReturnType<typeof entryOf>>();
      for (const [at, key] of keys.entries()) {
        const entry = entryOf(thing(`a/${key}`, at + 1, { spec: "x".repeat(1000) }), slab);
        slab.hold(entry);
        const before = held.get(key);
        if (before) slab.release(before);
        held.set(key, entry);
      }
      const pages = new Set([...held.values()].map(({ page }) => page.bytes));
      const used = [...pages].reduce((sum, { length }) => sum + length, 0);
      expect(used).toBeLessThan(slab.kept * 2 + 3 * 1024 * 1024);
    }),
    { numRuns: 5 },
  );
});

test("an object larger than a page has one of its own", () => {
  const slab = new Slab();
  const large = thing("a/large", 1, { spec: "x".repeat(3_000_000) });
  const entries = [thing("a/b", 1), large, thing("a/c", 2)].map((object) => entryOf(object, slab));
  for (const entry of entries) slab.hold(entry);
  expect(entries.map((entry) => entry.parse())).toEqual([thing("a/b", 1), large, thing("a/c", 2)]);
  expect(entries[0]?.page).toBe(entries[2]?.page);
});
