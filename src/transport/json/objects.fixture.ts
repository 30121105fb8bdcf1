import fc from "fast-check";
import { parsableKeys } from "../../../test/json-keys.ts";

export type Json = ReturnType<typeof JSON.parse>;

/** Keys that a scanner could confuse with others. */
const key = parsableKeys(
  fc.oneof(
    fc.constantFrom(
      "metadata",
      "managedFields",
      "name",
      "namespace",
      "resourceVersion",
      "items",
      "object",
      "type",
    ),
    fc.constantFrom("kind", "apiVersion", "labels", "annotations", "ownerReferences", "uid", "generateName"),
    fc.constantFrom("", "n", "nam", "names", "Name", "namespaces", "ui", "uid:", "label", "managedField"),
    fc.string({ unit: "grapheme" }),
  ),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1.5e9,
      "",
      '"',
      "\\",
      '{"metadata":{"managedFields":[]}}',
      "é\u2028😀",
    ),
    fc.string({ unit: "grapheme" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const others = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true });
/** Keys without escapes, because an escaped key ends the scan. */
const plain = fc.dictionary(
  key.filter((text) => !JSON.stringify(text).includes("\\")),
  value,
  { maxKeys: 5, noNullPrototype: true },
);

/** Objects as servers write them, with the fields in any order. */
export const objects: fc.Arbitrary<Json> = fc
  .record({
    name: fc.stringMatching(/^[a-z0-9.-]{1,20}$/),
    namespace: fc.option(fc.stringMatching(/^[a-z0-9-]{1,9}$/), { nil: undefined }),
    resourceVersion: fc.nat().map(String),
    managedFields: fc.option(fc.array(others, { maxLength: 3 }), { nil: undefined }),
    inMetadata: plain,
    inObject: plain,
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ name, namespace, resourceVersion, managedFields, inMetadata, inObject, order }) => {
    const metadata = shuffled({ ...inMetadata, name, namespace, resourceVersion, managedFields }, order);
    return shuffled({ ...inObject, metadata }, order);
  });

function shuffled(object: object, order: readonly number[]): Json {
  const entries = Object.entries(object).filter(([, entry]) => entry !== undefined);
  const placed = entries.map((entry, index) => ({ entry, place: order[index % order.length] ?? 0 }));
  return Object.fromEntries(placed.sort((a, b) => a.place - b.place).map(({ entry }) => entry));
}

/** Removes the managedFields with `JSON.parse`. */
export function withoutManagedFields(object: Json): Json {
  const copy = JSON.parse(JSON.stringify(object));
  delete copy?.metadata?.managedFields;
  return copy;
}
