import fc from "fast-check";
import { expect, test } from "vitest";
import { applyJsonPatch } from "../src/patch/index.ts";
import { jsonDifference } from "../src/webhook/json-difference.ts";

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1.5, "", "a", "~/"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b/c", "~0", "__proto__", "constructor"), tie("value"), {
      maxKeys: 4,
    }),
  ),
})).value;

test("applying the patch of a webhook to the object that came yields the object of the handler", () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const patched = applyJsonPatch(
        { object: before },
        jsonDifference({ object: before }, { object: after }),
      );
      expect(patched).toEqual({ object: after });
    }),
    { numRuns: 2000 },
  );
});
