import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, objects, withoutManagedFields } from "../json/objects.fixture.ts";
import { ListReader } from "./list-reader.ts";
import { ParsedItems } from "./parsed-items.ts";

interface Outcome {
  readonly metadata: Json;
  readonly items: Json[];
}

/** Reads a list in chunks of these sizes, and the rest in one chunk. */
function readIn(sizes: readonly number[], text: string | Buffer, managedFields = false): Outcome {
  const { items, onItem } = new ParsedItems({ managedFields });
  const reader = new ListReader({ request: { method: "GET", path: "/pods" }, onItem });
  let rest = Buffer.from(text);
  for (const size of [...sizes, rest.length]) {
    const reused = rest.subarray(0, size);
    reader.push(reused);
    reused.fill("?");
    rest = rest.subarray(size);
  }
  return { metadata: reader.end(), items };
}

const sizes = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });

test("for any chunks, a list equals the parsed list without managedFields", () => {
  const lists = fc.record({
    before: fc.constantFrom({}, { kind: "PodList", apiVersion: "v1" }),
    metadata: fc.record({ resourceVersion: fc.nat().map(String), continue: fc.string() }),
    items: fc.array(objects, { maxLength: 4 }),
    after: fc.constantFrom({}, { kind: "PodList" }),
    end: fc.constantFrom("", "\n"),
  });
  fc.assert(
    fc.property(lists, sizes, ({ before, metadata, items, after, end }, chunks) => {
      const text = JSON.stringify({ ...before, metadata, items, ...after }) + end;
      expect(readIn(chunks, text)).toEqual({ metadata, items: items.map(withoutManagedFields) });
      expect(readIn(chunks, text, true)).toEqual({ metadata, items });
    }),
  );
});

test("many items larger than a chunk are read as they arrive", () => {
  const items = Array.from({ length: 300 }, (_, index) => ({
    metadata: { name: `pod-${index}`, managedFields: [{ fieldsV1: { "f:spec": {} } }] },
    data: "x".repeat(index === 150 ? 400_000 : 2000),
  }));
  const text = JSON.stringify({ metadata: { resourceVersion: "7" }, items });
  const outcome = readIn(
    Array.from({ length: 80 }, () => 16_384),
    text,
  );
  expect(outcome).toEqual({
    metadata: { resourceVersion: "7" },
    items: items.map(withoutManagedFields),
  });
});

test.each([
  ["a beginning that is found within", { metadata: { name: "a" }, parts: [1, { metadata: {} }] }],
  ["no metadata", { data: 1 }],
  ["another beginning", { kind: "A", metadata: { name: "a" } }],
  ["empty managedFields", { metadata: { managedFields: [], name: "a" } }],
  ["managedFields in arrays", { metadata: { managedFields: [{ a: [{}], b: 1 }], name: "a" }, data: [{}] }],
  ["managedFields in strings", { metadata: { managedFields: [{ "}],": "}]}" }], name: "a" }, data: [{}] }],
  ["managedFields that are no array", { metadata: { managedFields: { a: [{}] }, name: "a" } }],
])("an item with %s is read", (_, odd) => {
  const plain = { metadata: { name: "b" }, data: 2 };
  const items = [plain, odd, plain];
  expect(readIn([], JSON.stringify({ metadata: {}, items }))).toMatchObject({
    metadata: {},
    items: items.map(withoutManagedFields),
  });
});

test.each([
  ["items that are null", '{"metadata":{"resourceVersion":"7"},"items":null}'],
  ["items that are no objects", '{"metadata":{"resourceVersion":"7"},"items":[1],"kind":"List"}'],
  ["metadata after its items", '{"items":[{"metadata":{"name":"a"}}],"metadata":{"resourceVersion":"7"}}'],
  ["white space", '{"metadata":{"resourceVersion":"7"}, "items":[{"metadata":{"name":"a"}}]}'],
  ["white space within", '{"metadata":{},"items":[{"metadata":{"name":"a"}}, {"metadata":{"name":"b"}} ] }'],
  ["escaped keys", '{"metadata":{},"items":[{"metadata":{"name":"a"}},{"\\u006detadata":{"name":"b"}}]}'],
])("a list with %s equals the parsed list", (_, text) => {
  const { metadata, items } = JSON.parse(text);
  expect(readIn([20, 30], text)).toMatchObject({ metadata, items: items ?? [] });
});

test.each([
  ["what follows", '{"metadata":{},"items":[]}{}'],
  ["an end in the head", '{"metadata":{"resourceVersion'],
  ["an end in the middle", '{"metadata":{},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b'],
  ["an end between items", '{"metadata":{},"items":[{"metadata":{"name":"a"}},'],
  ["an end after its items", '{"metadata":{},"items":[{"metadata":{"name":"a"}}]'],
  ["a comma too many between items", '{"metadata":{},"items":[{"metadata":{"name":"a"}},]}'],
  ["a comma too many after them", '{"metadata":{},"items":[{"metadata":{"name":"a"}}],}'],
  ["an item that is no JSON", '{"metadata":{},"items":[{"metadata":{"name":"a"},},{"metadata":{}}]}'],
  ["nothing", ""],
])("a list with %s is an error", (_, text) => {
  expect(() => readIn([20, 30], text)).toThrow(/^expected (a list|more) from GET \/pods, got /);
});

test("arbitrary bytes do not cause an endless loop", () => {
  const errors = fc.record({ place: fc.nat(), byte: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(objects, errors, sizes, (object, { place, byte }, chunks) => {
      const bytes = Buffer.from(JSON.stringify({ metadata: {}, items: [object, object] }));
      bytes[place % bytes.length] = byte;
      try {
        readIn(chunks, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});
