import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingBuffer } from "./growing-buffer.ts";

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("append" as const),
      bytes: fc.uint8Array({ minLength: 10, maxLength: 40 }),
      start: fc.nat(10),
      end: fc.integer({ min: 10, max: 40 }),
    }),
    fc.record({ do: fc.constant("drop" as const), count: fc.nat(15) }),
    fc.record({ do: fc.constant("clear" as const) }),
  ),
  { maxLength: 30 },
);

test("for any calls, the content is what was appended and not removed", () => {
  fc.assert(
    fc.property(steps, (calls) => {
      const buffer = new GrowingBuffer({ minBytes: 8, maxKeptBytes: 32 });
      let expected: number[] = [];
      for (const call of calls) {
        if (call.do === "append") {
          const source = Buffer.from(call.bytes);
          const end = Math.min(call.end, source.length);
          const start = Math.min(call.start, end);
          buffer.append(source, start, end);
          expected = [...expected, ...source.subarray(start, end)];
          source.fill("?");
        } else if (call.do === "drop") {
          buffer.drop(call.count);
          expected = expected.slice(call.count);
        } else {
          buffer.clear();
          expected = [];
        }
        expect([...buffer.bytes]).toEqual(expected);
        expect([...buffer.memory.subarray(0, buffer.length)]).toEqual(expected);
      }
    }),
  );
});

test("the memory doubles, so that it is allocated rarely", () => {
  const buffer = new GrowingBuffer({ minBytes: 16 });
  const memories = new Set<Buffer>();
  const byte = Buffer.from("x");
  for (let count = 0; count < 10_000; count++) {
    buffer.append(byte);
    memories.add(buffer.memory);
  }
  expect(memories.size).toBeLessThan(15);
});

test("the memory is reused after small contents, and released after large ones", () => {
  const buffer = new GrowingBuffer({ minBytes: 16, maxKeptBytes: 100 });
  buffer.append(Buffer.alloc(100));
  const { memory } = buffer;
  buffer.clear();
  expect(buffer.memory).toBe(memory);
  buffer.append(Buffer.alloc(101));
  buffer.drop(101);
  expect(buffer.memory).toHaveLength(0);
});
