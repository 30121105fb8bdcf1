import fc from "fast-check";
import { expect, test } from "vitest";
import { scanEvent } from "./scan-event.ts";
import { scanList } from "./scan-list.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Keys that a scanner could take for others. */
const key = fc.oneof(
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
  fc.string({ unit: "grapheme" }),
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
/** Where the scan looks at keys, an escaped one ends it. */
const plain = fc.dictionary(
  key.filter((text) => !JSON.stringify(text).includes("\\")),
  value,
  { maxKeys: 5, noNullPrototype: true },
);

/** Objects as servers write them, with their fields in any order. */
const objects = fc
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

/** By the plain way. */
function withoutManagedFields(object: Json): Json {
  const copy = JSON.parse(JSON.stringify(object));
  delete copy.metadata.managedFields;
  return copy;
}

test("an event's object is what parsing gives, without its managedFields", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom("ADDED", "MODIFIED", "DELETED"), (object, type) => {
      const frame = JSON.stringify({ type, object });
      const bytes = Buffer.from(`before\n${frame}\nafter}}`);
      const start = 7;
      const scanned = scanEvent(bytes, start, start + Buffer.byteLength(frame));
      const { name, namespace = "", resourceVersion } = object.metadata;
      expect({ ...scanned }).toEqual({
        type: type.toLowerCase(),
        name,
        namespace,
        resourceVersion,
      });
      expect(scanned?.parse()).toEqual(withoutManagedFields(object));
    }),
  );
});

test("a list's items are what parsing gives, without their managedFields", () => {
  const lists = fc.record({
    before: fc.constantFrom({}, { kind: "PodList", apiVersion: "v1" }),
    metadata: fc.record({ resourceVersion: fc.nat().map(String), continue: fc.string() }),
    items: fc.array(objects, { maxLength: 4 }),
    after: fc.constantFrom({}, { kind: "PodList" }),
    end: fc.constantFrom("", "\n"),
  });
  fc.assert(
    fc.property(lists, ({ before, metadata, items, after, end }) => {
      const text = JSON.stringify({ ...before, metadata, items, ...after }) + end;
      expect(scanList(Buffer.from(text))).toEqual({ metadata, items: items.map(withoutManagedFields) });
    }),
  );
});

test("no bytes at all make a scan hang, or read a frame beyond its end", () => {
  fc.assert(
    fc.property(objects, fc.nat(), fc.nat({ max: 255 }), (object, place, byte) => {
      const bytes = Buffer.from(JSON.stringify({ type: "ADDED", object }));
      bytes[place % bytes.length] = byte;
      const end = place % (bytes.length + 1);
      const scanned = scanEvent(bytes, 0, end);
      if (scanned) expect(bytes.subarray(end - 2, end).toString()).toBe("}}");
      try {
        scanList(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }),
  );
});

test.each([
  ["an error", '{"type":"ERROR","object":{"kind":"Status","metadata":{},"code":410}}'],
  ["a bookmark", '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}'],
  ["white space", '{ "type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"}}}'],
  ["white space within", '{"type":"ADDED","object":{"metadata": {"name":"a","resourceVersion":"7"}}}'],
  ["another order", '{"object":{"metadata":{"name":"a","resourceVersion":"7"}},"type":"ADDED"}'],
  ["an escaped key", '{"type":"ADDED","object":{"\\u006detadata":{"name":"a","resourceVersion":"7"}}}'],
  ["an escaped name", '{"type":"ADDED","object":{"metadata":{"name":"\\u0061","resourceVersion":"7"}}}'],
  ["no metadata", '{"type":"ADDED","object":{"kind":"Pod"}}'],
  ["no name", '{"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}'],
  ["a name that is no text", '{"type":"ADDED","object":{"metadata":{"name":7,"resourceVersion":"7"}}}'],
  ["no object", '{"type":"ADDED","object":null}'],
  ["nothing", ""],
])("%s is left to the parser", (_, frame) => {
  expect(scanEvent(Buffer.from(frame), 0, frame.length)).toBeUndefined();
});

test.each([
  ["items that are null", '{"metadata":{"resourceVersion":"7"},"items":null}'],
  ["items that are no objects", '{"metadata":{"resourceVersion":"7"},"items":[1]}'],
  ["no metadata", '{"items":[]}'],
  ["white space", '{"metadata":{"resourceVersion":"7"}, "items":[]}'],
  ["what follows", '{"metadata":{"resourceVersion":"7"},"items":[]}{}'],
  ["an end in the middle", '{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a'],
  ["an array", "[]"],
  ["nothing", ""],
])("a list with %s is left to the parser", (_, text) => {
  expect(scanList(Buffer.from(text))).toBeUndefined();
});
