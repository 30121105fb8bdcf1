import fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("items leave in the order of arrival, for any sequence of calls", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2000, max: 2000 }), { maxLength: 20 }), (moves) => {
      const fifo = new Fifo<number>();
      const plain: number[] = [];
      let next = 1;
      for (const move of moves) {
        for (let count = 0; count < move; count++) {
          fifo.push(next);
          plain.push(next);
          next += 1;
        }
        const left = Array.from({ length: Math.max(-move, 0) }, () => fifo.shift());
        const expected = Array.from(left, () => plain.shift());
        expect([fifo.size, left]).toEqual([plain.length, expected]);
      }
    }),
  );
});

test("a cleared queue is empty and can be used again", () => {
  const fifo = new Fifo<string>();
  for (const item of ["a", "b"]) fifo.push(item);
  fifo.clear();
  expect([fifo.size, fifo.shift()]).toEqual([0, undefined]);
  fifo.push("c");
  expect([fifo.size, fifo.shift()]).toEqual([1, "c"]);
});
