import fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytes } from "./compare-bytes.ts";

test("strings are ordered by their UTF-8 bytes", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "-", "\u00e9", "\uffee", "\u{1f600}"),
    maxLength: 4,
  });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(Math.sign(compareBytes(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
    }),
  );
});
