import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfFlatArray, endOfValue, nowhere } from "./json-walk.ts";

/** Made of what arrays end with, so that a guess is wrong as often as can be. */
const text = fc.string({ unit: fc.constantFrom("]", "}", "{", ":", ",", '"', "\\", "[", "a"), maxLength: 8 });
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(true, null, 1),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

test("an array ends where it ends, or that is not said", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 3 }), fc.array(value, { maxLength: 2 }), (array, after) => {
      const bytes = Buffer.from(JSON.stringify({ array, after }));
      const start = '{"array":'.length;
      const end = start + Buffer.byteLength(JSON.stringify(array));
      expect(endOfValue(bytes, start)).toBe(end);
      expect([end, nowhere]).toContain(endOfFlatArray(bytes, start));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["fields", { fieldsV1: { "f:spec": { "f:ports": { ".": {}, 'k:{"port":80}': {} } } } }],
  ["a subresource", { fieldsV1: { "f:status": { "f:phase": {} } }, subresource: "status" }],
  ["no fields", { manager: "kubectl", operation: "Update", time: "2026-01-01T00:00:00Z" }],
])("the end of managedFields is found at their last bytes: %s", (_, entry) => {
  const text = JSON.stringify([{ manager: "kubelet", fieldsV1: { "f:metadata": {} } }, entry]);
  const bytes = Buffer.from(`{"managedFields":${text}},"spec":{"volumes":[]}`);
  expect(endOfFlatArray(bytes, 17)).toBe(17 + text.length);
});

test.each([
  ["an end within a string", '["v:]"]'],
  ["an end after what looks like a key within a string", String.raw`["\":{}]","a"]`],
  ["another array within", '[{"a":["b"]}]'],
  ["a key that begins as another ends", '[{":{}]":"a"}]'],
  ["white space", '[{ ":{}]":"a"}]'],
  ["nothing in it", "[]"],
  ["no end", '[{"a":"b"}'],
  ["no array", '{"a":"b"}'],
])("what does not prove an end is left to be walked: %s", (_, text) => {
  expect(endOfFlatArray(Buffer.from(text), 0)).toBe(nowhere);
});
