import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { confusesKeys, parsableKeys, parsableValues } from "./json-keys.ts";

/** Returns the key that a new process reads in the second text after the first. */
function keyReadAfter(first: string, second: string): string {
  const script = "const [first, second] = process.argv.slice(1); JSON.parse(first);";
  const print = "process.stdout.write(Object.keys(JSON.parse(second)).at(-1))";
  return execFileSync(process.execPath, ["-e", `${script} ${print}`, first, second], { encoding: "utf8" });
}

// When this fails on a new Node, V8 has been fixed: change `confusesKeys`, and the note in README.md.
test.each([
  { first: String.raw`{"a":1,"\\":2}`, second: String.raw`{"a":1,"\"":2}`, key: '"', confused: "\\" },
  { first: String.raw`{"\\":2}`, second: String.raw`{"\n":2}`, key: "\n", confused: "\\" },
  { first: String.raw`{"\\n":2}`, second: String.raw`{"\nx":2}`, key: "\nx", confused: "\\n" },
])("JSON.parse reads $second after $first as V8 of this Node does", ({ first, second, key, confused }) => {
  expect(keyReadAfter(first, second)).toBe(confusesKeys ? confused : key);
});

test("keys with backslashes are excluded only if JSON.parse confuses them", () => {
  const backslash = fc.constantFrom("\\", "a");
  const some = <T>(values: fc.Arbitrary<T>): T[] => fc.sample(values, 2_000);
  expect(some(parsableKeys(backslash)).includes("\\")).toBe(!confusesKeys);
  const keys = some(parsableValues()).flatMap((value) => Object.keys(Object(value)));
  expect(keys.some((key) => key.includes("\\"))).toBe(!confusesKeys);
});
