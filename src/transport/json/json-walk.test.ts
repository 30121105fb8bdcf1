import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfFlat, endOfValue, nowhere } from "./json-walk.ts";

/** Texts of the bytes that end arrays, so that wrong guesses are frequent. */
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

test("the end of a flat value is correct or unknown", () => {
  fc.assert(
    fc.property(value, fc.array(value, { maxLength: 2 }), (flat, after) => {
      const bytes = Buffer.from(JSON.stringify({ flat, after }));
      const start = '{"flat":'.length;
      const end = start + Buffer.byteLength(JSON.stringify(flat));
      expect(endOfValue(bytes, start)).toBe(end);
      expect([end, nowhere]).toContain(endOfFlat(bytes, start));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["fields", { fieldsV1: { "f:spec": { "f:ports": { ".": {}, 'k:{"port":80}': {} } } } }],
  ["a subresource", { fieldsV1: { "f:status": { "f:phase": {} } }, subresource: "status" }],
  ["no fields", { manager: "kubectl", operation: "Update", time: "2026-01-01T00:00:00Z" }],
])("the end of managedFields is found from their last bytes: %s", (_, entry) => {
  const text = JSON.stringify([{ manager: "kubelet", fieldsV1: { "f:metadata": {} } }, entry]);
  const bytes = Buffer.from(`{"managedFields":${text}},"spec":{"volumes":[]}`);
  expect(endOfFlat(bytes, 17)).toBe(17 + text.length);
});

test("the ends of labels and owner references are found", () => {
  const labels = '{"app":"shop","empty":""}';
  const owners =
    '[{"kind":"ReplicaSet","name":"shop","controller":true},{"uid":"1","blockOwnerDeletion":true}]';
  const bytes = Buffer.from(`{"labels":{"a":"b"},"owners":${owners},"more":${labels}}`);
  const [first, second, third] = ['{"a"', "[{", '{"app"'].map((text) => bytes.indexOf(text));
  expect(endOfFlat(bytes, first ?? 0)).toBe((first ?? 0) + '{"a":"b"}'.length);
  expect(endOfFlat(bytes, second ?? 0)).toBe((second ?? 0) + owners.length);
  expect(endOfFlat(bytes, third ?? 0)).toBe((third ?? 0) + labels.length);
});

test.each([
  ["an end within a string", '["v:]"]'],
  ["an end after what looks like a key within a string", String.raw`["\":{}]","a"]`],
  ["another array within", '[{"a":["b"]}]'],
  ["a key that begins as another ends", '[{":{}]":"a"}]'],
  ["white space", '[{ ":{}]":"a"}]'],
  ["nothing in it", "[]"],
  ["no end", '[{"a":"b"}'],
  ["another object within", '{"a":{"b":"c"}}'],
  ["an end within a value", '{"a":"}"}'],
  ["text", '"a]"'],
])("without proof of the end the value is walked: %s", (_, text) => {
  expect(endOfFlat(Buffer.from(text), 0)).toBe(nowhere);
});
