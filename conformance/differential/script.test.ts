import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptOf } from "./arbitrary-script.ts";
import { readScript, writeScript } from "./script.ts";
import { subjects } from "./subjects.ts";

test("a script survives a round trip through text", () => {
  fc.assert(
    fc.property(scriptOf(subjects), (script) => {
      expect(readScript(writeScript(script))).toEqual(JSON.parse(JSON.stringify(script)));
    }),
    { numRuns: 50 },
  );
});

test("a text that is not a script is refused", () => {
  expect(() => readScript("[]")).toThrow('expected a script { "subject": "configmaps", "steps": [...] }');
});
