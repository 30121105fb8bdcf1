import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { FieldIndex } from "./field-index.ts";
import { entryOf, type Thing, thing } from "./objects.fixture.ts";

const values = fc.array(fc.constantFrom("x", "y", "z", ""), { maxLength: 4 });
const steps = fc.array(
  fc.record({ name: fc.constantFrom("a", "b", "c"), values: fc.option(values, { nil: undefined }) }),
  { maxLength: 30 },
);

/** Names of objects by value. */
type Found = Record<string, string[]>;

/** Returns the content of the index. */
function found(index: FieldIndex<Thing>): Found {
  const names = (value: string): string[] => Array.from(index.by(value), ({ name }) => name).sort();
  return Object.fromEntries(Array.from(index.values(), (value) => [value, names(value)]));
}

/** Returns the expected content. */
function expected(there: ReadonlyMap<string, readonly string[]>): Found {
  const all = new Set([...there.values()].flat());
  const names = (value: string): string[] =>
    [...there.keys()].filter((name) => there.get(name)?.includes(value)).sort();
  return Object.fromEntries(Array.from(all, (value) => [value, names(value)]));
}

test("after any change, each value has its objects once, and a value without objects is dropped", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const index = new FieldIndex<Thing>(({ spec }) => spec as string[]); // as the steps define it
      const entries = new Map<string, Entry>();
      const there = new Map<string, readonly string[]>();
      for (const { name, values: spec } of all) {
        const before = entries.get(name);
        if (before) index.remove(before);
        entries.delete(name);
        there.delete(name);
        if (spec) {
          const object = thing(name, 1, { spec });
          const entry = entryOf(object);
          index.put(entry, () => object);
          entries.set(name, entry);
          there.set(name, spec);
        }
        expect(found(index)).toEqual(expected(there));
      }
    }),
  );
});
