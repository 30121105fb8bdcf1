import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import type { ByteRange } from "./byte-range.ts";
import { Entry } from "./entry.ts";
import { type DecodeFailure, EntryReader, type Frame } from "./entry-reader.ts";
import { Thing, thing } from "./objects.fixture.ts";
import {
  compressedAreReadAsParsed,
  eventsAreReadAsParsed,
  itemsAreReadAsParsed,
  responsesAreReadAsParsed,
} from "./read-as-parsed.fixture.ts";
import { Slab } from "./slab.ts";

function reader(
  options: Partial<ConstructorParameters<typeof EntryReader<Thing>>[0]> = {},
): EntryReader<Thing> {
  return new EntryReader({ kind: Thing, slab: new Slab(), ...options });
}

/** Returns the frame of a line between other lines of a chunk. */
function frameOf(text: string, from: EntryReader<Thing> = reader()): Frame {
  const bytes = Buffer.from(`before\n${text}\nafter`);
  return from.frame(bytes, 7, bytes.length - 6);
}

function eventText(type: string, object: unknown): string {
  return JSON.stringify({ type, object });
}

test("an event is read as a parser reads it, for any fields in any order", () => {
  fc.assert(eventsAreReadAsParsed, { numRuns: 1000 });
});

test("an item of a list is read as a parser reads it, and its end is found", () => {
  fc.assert(itemsAreReadAsParsed, { numRuns: 1000 });
});

test("a compressed object is read as a parser reads it", () => {
  fc.assert(compressedAreReadAsParsed, { numRuns: 1000 });
});

test("nothing is compressed while skipCompression is set", () => {
  const skipCompression = reader({
    compressor: new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 }),
  });
  const lengths = [1, 2, 3].map((version) => {
    skipCompression.skipCompression = version === 2;
    const { entry } = skipCompression.item(
      Buffer.from(JSON.stringify(thing("a/b", version, { spec: "x".repeat(500) }))),
      0,
    );
    return entry instanceof Entry && entry.length < entry.size;
  });
  expect(lengths).toEqual([false, false, true]);
});

test("transformed objects are compressed, too", () => {
  const transform = (object: Thing): Thing => ({ ...object, spec: "short ".repeat(100) });
  const packing = reader({
    compressor: new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 }),
    transform,
  });
  const entries = [1, 2].map((version) => packing.object(thing("a/b", version, { spec: "long" })));
  expect(entries.map((entry) => entry instanceof Entry && entry.length < entry.size)).toEqual([false, true]);
  expect(entries.map((entry) => entry instanceof Entry && entry.parse())).toEqual(
    [1, 2].map((version) => thing("a/b", version, { spec: "short ".repeat(100) })),
  );
});

test("a response becomes the entry of its object, for any bytes", () => {
  fc.assert(responsesAreReadAsParsed, { numRuns: 1000 });
});

test.each([
  ["white space in it", JSON.stringify(thing("a/b", 1, { spec: "x" }), undefined, 2)],
  ["several line ends after it", `${JSON.stringify(thing("a/b", 1))}\n\n`],
  ["no type", JSON.stringify({ metadata: { name: "b", namespace: "a", resourceVersion: "1" } })],
])("a response with %s becomes the entry of its object", (_, text) => {
  const object = JSON.parse(text) as Thing;
  const entry = reader().responseObject(object, Buffer.from(text));
  expect("error" in entry ? entry.error : entry.parse()).toEqual({
    ...object,
    apiVersion: "example.dev/v1",
    kind: "Thing",
  });
});

test("a response is transformed", () => {
  const transform = (object: Thing): Thing => ({ ...object, spec: "changed" });
  const object = thing("a/b", 1, { spec: "long" });
  const entry = reader({ transform }).responseObject(object, Buffer.from(JSON.stringify(object)));
  expect("error" in entry ? entry.error : entry.parse()).toEqual(thing("a/b", 1, { spec: "changed" }));
});

test("a response of another kind is undecodable", () => {
  const other = { ...thing("a/b", 1), kind: "Status" } as unknown as Thing;
  const found = reader().responseObject(other, Buffer.from(JSON.stringify(other)));
  expect("error" in found && found.error.message).toBe("expected a Thing, got a Status");
});

test("managedFields are kept if they are requested", () => {
  const object = thing("a/b", 1, { metadata: { managedFields: [{ manager: "m" }] } as Thing["metadata"] });
  const frame = frameOf(eventText("ADDED", object), reader({ managedFields: true }));
  expect("entry" in frame && frame.entry.parse()).toEqual(object);
});

describe.each([
  ["behind", (version: string, managedFields: unknown) => ({ resourceVersion: version, managedFields })],
  ["before", (version: string, managedFields: unknown) => ({ managedFields, resourceVersion: version })],
])("changed metadata is found with managedFields %s the resource version", (_, placed) => {
  const metadata = (version: string, label: string): object => ({
    name: "b",
    ...placed(version, [{ manager: version }]),
    labels: { of: label },
  });
  const changed = (one: unknown, other: unknown): unknown => {
    if (!(one instanceof Entry) || !(other instanceof Entry)) throw new Error("expected two entries");
    return other
      .changedMetadata(one)
      ?.map(({ name, before, after }) => [name, textOf(before), textOf(after)]);
  };
  const both = [
    ["resourceVersion", '"9"', '"10"'],
    ["labels", '{"of":"us"}', '{"of":"me"}'],
  ];

  test("in events", () => {
    const entryAt = (version: string, label: string): unknown => {
      const object = { apiVersion: "example.dev/v1", kind: "Thing", metadata: metadata(version, label) };
      const frame = frameOf(eventText("MODIFIED", object));
      return "entry" in frame && frame.entry;
    };
    expect(changed(entryAt("9", "us"), entryAt("10", "me"))).toEqual(both);
    expect(changed(entryAt("9", "us"), entryAt("10", "us"))).toEqual(both.slice(0, 1));
  });

  test("in lists, whose items have no type", () => {
    const entryAt = (version: string, label: string): unknown =>
      reader().item(Buffer.from(`[${JSON.stringify({ metadata: metadata(version, label) })}]`), 1).entry;
    expect(changed(entryAt("9", "us"), entryAt("10", "me"))).toEqual(both);
    expect(changed(entryAt("9", "us"), entryAt("10", "us"))).toEqual(both.slice(0, 1));
  });
});

function textOf(written: ByteRange | undefined): string | undefined {
  return written?.bytes.toString("utf8", written.start, written.end);
}

test("the stored entry is returned for the same version", () => {
  const from = reader();
  const first = frameOf(eventText("ADDED", thing("a/b", 1)), from);
  const known = "entry" in first ? first.entry : undefined;
  const again = reader({
    stored: (namespace, name) => (`${namespace}/${name}` === "a/b" ? known : undefined),
  });
  expect(frameOf(eventText("MODIFIED", thing("a/b", 1)), again)).toEqual({ type: "updated", entry: known });
  const newer = frameOf(eventText("MODIFIED", thing("a/b", 2)), again);
  expect("entry" in newer && newer.entry.parse()).toEqual(thing("a/b", 2));
});

test("a transform is applied once to each object", () => {
  let calls = 0;
  const transform = (object: Thing): Thing => {
    calls += 1;
    return { ...object, spec: "changed" };
  };
  const frame = frameOf(eventText("ADDED", thing("a/b", 1, { spec: "long" })), reader({ transform }));
  expect("entry" in frame && [frame.entry.parse(), frame.entry.parse()]).toEqual([
    thing("a/b", 1, { spec: "changed" }),
    thing("a/b", 1, { spec: "changed" }),
  ]);
  expect(calls).toBe(1);
});

test("bookmarks have a resource version, and mark the end of the initial events", () => {
  const bookmark = (annotations?: Record<string, string>): string =>
    eventText("BOOKMARK", { kind: "Thing", metadata: { resourceVersion: "7", annotations } });
  expect(frameOf(bookmark())).toEqual({ type: "bookmark", resourceVersion: "7", initialEventsEnd: false });
  expect(frameOf(bookmark({ "k8s.io/initial-events-end": "true" }))).toEqual({
    type: "bookmark",
    resourceVersion: "7",
    initialEventsEnd: true,
  });
  expect(frameOf(bookmark({ "k8s.io/initial-events-end": "yes" }))).toEqual({
    type: "bookmark",
    resourceVersion: "7",
    initialEventsEnd: false,
  });
});

test("an ERROR event is the status of the server", () => {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, code: 410, reason: "Expired" };
  expect(frameOf(eventText("ERROR", status))).toEqual({ type: "error", status });
});

describe("a decode failure has an error, for", () => {
  function told(frame: Frame | DecodeFailure): unknown {
    if (frame.type !== "undecodable") return frame;
    return { error: frame.error.message, key: frame.key, resourceVersion: frame.resourceVersion };
  }

  test("an event that is not JSON", () => {
    expect(told(frameOf("<html>"))).toEqual({
      error: 'expected an event in JSON, got "<html>"',
      key: undefined,
      resourceVersion: undefined,
    });
  });

  test("JSON that is not an event", () => {
    for (const text of ["null", "[]", "1", "{}", '{"type":"ADDED"}', '{"type":"WHAT","object":{}}']) {
      expect(told(frameOf(text))).toEqual({
        error: `expected an event, got ${JSON.stringify(text)}`,
        key: undefined,
        resourceVersion: undefined,
      });
    }
  });

  test("an object of another kind", () => {
    const other = { ...thing("a/b", 3), kind: "Table" };
    expect(told(frameOf(eventText("ADDED", other)))).toEqual({
      error: "expected a Thing, got a Table",
      key: "a/b",
      resourceVersion: "3",
    });
  });

  test("an object without a version", () => {
    const object = { kind: "Thing", metadata: { name: "b", namespace: "a" } };
    expect(told(frameOf(eventText("ADDED", object)))).toEqual({
      error: `expected a Thing with a name and a resourceVersion, got ${JSON.stringify(JSON.stringify(object))}`,
      key: "a/b",
      resourceVersion: undefined,
    });
  });

  test.each([
    { name: "b", namespace: "a/x", key: "a/x/b" },
    { name: "x/b", namespace: "a", key: "a/x/b" },
    { name: "a/b", namespace: "", key: "/a/b" },
  ])("an object with the name $name in namespace $namespace", ({ name, namespace, key }) => {
    const object = thing("a/b", 3);
    const odd = { ...object, metadata: { ...object.metadata, name, namespace } };
    const error = `expected a Thing without "/" in its name and namespace, got ${JSON.stringify({ namespace, name })}`;
    const expected = { error, key, resourceVersion: "3" };
    expect(told(frameOf(eventText("ADDED", odd)))).toEqual(expected);
    expect(reader().item(Buffer.from(`[${JSON.stringify(odd)}]`), 1).entry).toMatchObject({
      key,
      error: { message: error },
    });
    const spaced = JSON.stringify({ type: "ADDED", object: odd }, undefined, 1).replaceAll("\n", " ");
    expect(told(frameOf(spaced))).toEqual(expected);
  });

  test("an object for which the transform throws", () => {
    const transform = (): never => {
      throw new RangeError("not this one");
    };
    expect(told(frameOf(eventText("ADDED", thing("a/b", 3)), reader({ transform })))).toEqual({
      error: "not this one",
      key: "a/b",
      resourceVersion: "3",
    });
  });

  test("an object that the transform renames", () => {
    const transform = (object: Thing): Thing => ({ ...object, metadata: { ...object.metadata, name: "c" } });
    expect(told(frameOf(eventText("ADDED", thing("a/b", 3)), reader({ transform })))).toEqual({
      error: "expected a transform to keep name, namespace and resourceVersion, got other values",
      key: "a/b",
      resourceVersion: "3",
    });
  });
});
