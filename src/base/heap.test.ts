import fc from "fast-check";
import { expect, test } from "vitest";
import { Heap, type HeapEntry } from "./heap.ts";
import { seededRng } from "./random.ts";

interface Numbered extends HeapEntry {
  value: number;
}

function heapOf(values: readonly number[]): { heap: Heap<Numbered>; entries: Numbered[] } {
  const heap = new Heap<Numbered>((one, other) => one.value < other.value);
  const entries = values.map((value) => ({ value, heapIndex: -1 }));
  for (const entry of entries) heap.add(entry);
  return { heap, entries };
}

function drained(heap: Heap<Numbered>): number[] {
  const values: number[] = [];
  for (let { first } = heap; first; first = heap.first) {
    values.push(first.value);
    heap.remove(first);
  }
  return values;
}

test("entries come out in order, after any removals and moves to the front", () => {
  const changes = fc.array(fc.record({ at: fc.nat(40), by: fc.option(fc.nat(20)) }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 40 }), changes, (values, changed) => {
      const { heap, entries } = heapOf(values);
      const left = new Set(entries);
      for (const { at, by } of changed) {
        const entry = entries[at];
        if (!entry) continue;
        if (by === null) expect(heap.remove(entry)).toBe(left.delete(entry));
        else if (left.has(entry)) {
          entry.value -= by;
          heap.moveUp(entry);
        }
      }
      const expected = Array.from(left, ({ value }) => value).sort((one, other) => one - other);
      expect([heap.size, drained(heap)]).toEqual([expected.length, expected]);
    }),
  );
});

test("entries come out in order after half of them are removed from anywhere", () => {
  const rng = seededRng(1);
  for (let times = 0; times < 200; times += 1) {
    const { heap, entries } = heapOf(Array.from({ length: 40 }, () => rng.next()));
    const left = entries.filter((entry) => rng.next() < 0.5 || !heap.remove(entry));
    expect(drained(heap)).toEqual(left.map(({ value }) => value).sort((one, other) => one - other));
  }
});

test("an entry that was removed or cleared is not in the heap", () => {
  const { heap, entries } = heapOf([3, 1, 2]);
  const [three, one] = entries as [Numbered, Numbered];
  expect([heap.remove(one), heap.remove(one), heap.size]).toEqual([true, false, 2]);
  heap.clear();
  expect([heap.remove(three), heap.size, heap.first]).toEqual([false, 0, undefined]);
});

test("with ten thousand entries, each is added and removed with at most 40 comparisons", () => {
  let comparisons = 0;
  const heap = new Heap<Numbered>((one, other) => {
    comparisons += 1;
    return one.value < other.value;
  });
  const rng = seededRng(1);
  for (let count = 0; count < 10_000; count += 1) heap.add({ value: rng.next(), heapIndex: -1 });
  drained(heap);
  expect(comparisons).toBeLessThan(10_000 * 40);
});
