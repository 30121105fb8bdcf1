import fc from "fast-check";
import { expect, test } from "vitest";
import { objects, withoutManagedFields } from "../json/objects.fixture.ts";
import { scanEvent } from "./event-scan.ts";

test("an event's object equals the parsed object without managedFields", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom("ADDED", "MODIFIED", "DELETED"), (object, type) => {
      const frame = JSON.stringify({ type, object });
      const bytes = Buffer.from(`before\n${frame}\nafter}}`);
      const start = 7;
      const scanned = scanEvent(bytes, start, start + Buffer.byteLength(frame));
      const { name, namespace = "", resourceVersion } = object.metadata;
      expect({ ...scanned, text: JSON.parse(scanned?.text ?? "") }).toEqual({
        type: type.toLowerCase(),
        name,
        namespace,
        resourceVersion,
        text: withoutManagedFields(object),
      });
    }),
  );
});

test("arbitrary bytes cause no endless loop and no read beyond the frame", () => {
  fc.assert(
    fc.property(objects, fc.nat(), fc.nat({ max: 255 }), (object, place, byte) => {
      const bytes = Buffer.from(JSON.stringify({ type: "ADDED", object }));
      bytes[place % bytes.length] = byte;
      const end = place % (bytes.length + 1);
      const scanned = scanEvent(bytes, 0, end);
      if (scanned) expect(bytes.subarray(end - 2, end).toString()).toBe("}}");
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
  ["in arrays", [{ a: [{}], b: 1 }]],
  ["in strings", [{ "}],": '"}]}' }]],
  ["not in an array", { a: [{}] }],
])("managedFields that contain closing brackets %s are removed", (_, managedFields) => {
  const object = { metadata: { managedFields, name: "a", resourceVersion: "7" }, data: [{}] };
  const frame = Buffer.from(`${JSON.stringify({ type: "ADDED", object })}\n{"more":[{}],"metadata":{}}`);
  const scanned = scanEvent(frame, 0, frame.indexOf("\n"));
  expect(JSON.parse(scanned?.text ?? "")).toEqual(withoutManagedFields(object));
});
