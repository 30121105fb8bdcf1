import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiText, StringInterner } from "./string-interner.ts";

const ascii = fc.string({ unit: "binary-ascii", maxLength: 80 });

test("asciiText decodes texts of any length", () => {
  fc.assert(
    fc.property(ascii, ascii, ascii, (before, text, after) => {
      const bytes = Buffer.from(before + text + after);
      const end = before.length + text.length;
      expect(asciiText(bytes, before.length, end)).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test("a StringInterner returns the text for repeated and different texts", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.oneof(name, ascii), { maxLength: 50 }), (texts) => {
      const interner = new StringInterner();
      const read = texts.map((text) => interner.intern(Buffer.from(`"${text}"`), 1, 1 + text.length));
      expect(read).toEqual(texts);
    }),
    { numRuns: 1000 },
  );
});
