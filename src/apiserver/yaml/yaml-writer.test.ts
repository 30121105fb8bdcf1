import fc from "fast-check";
import { expect, test } from "vitest";
import { readYaml } from "./yaml-document.ts";
import { writeYaml } from "./yaml-writer.ts";

const word = fc.constantFrom(
  "a",
  "yes",
  "1",
  "1:20",
  "~",
  "-",
  ": ",
  " ",
  "#",
  "'",
  '"',
  "\\",
  "é",
  "😀",
  "\t",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join("")),
  fc.array(word, { minLength: 30, maxLength: 60 }).map((words) => words.join(" ")),
  fc.array(word, { maxLength: 5 }).map((lines) => lines.join("\n")),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e-7, 1_234_567.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test("a written value is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const { value: read } = await readYaml(Buffer.from(writeYaml({ one })));
      expect(read).toEqual({ one });
    }),
  );
});

test.each(["\u3000a", "\u00a0a", "\u2003", "a\u3000", " a"])(
  "a text keeps leading and trailing white space: %j",
  async (text) => {
    const { value } = await readYaml(Buffer.from(writeYaml(text)));
    expect(value).toBe(text);
  },
);
