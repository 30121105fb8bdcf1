import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableKeys } from "../../../test/json-keys.ts";
import type { Entry } from "./entry.ts";
import { eventOf, metadataFieldChanged, type ObjectUpdated } from "./object-event.ts";
import { entryOf, type Thing, thing } from "./objects.fixture.ts";

const before = thing("a/b", 1, { spec: { size: 1 }, metadata: { labels: { of: "old" } } as never });
const after = thing("a/b", 2, { spec: { size: 2 }, metadata: { labels: { of: "new" } } as never });

/** Returns an entry that counts how often it is parsed completely. */
function watchingReflector(object: Thing): { readonly entry: Entry; readonly looks: () => number } {
  const entry = entryOf(object);
  let looks = 0;
  for (const method of ["parse", "fields"] as const) {
    const original = entry[method].bind(entry) as () => never;
    entry[method] = () => {
      looks += 1;
      return original();
    };
  }
  return { entry, looks: () => looks };
}

test("metadata and previousMetadata are read without the object", () => {
  const [old, now] = [watchingReflector(before), watchingReflector(after)];
  const event = eventOf<Thing>({ type: "updated", entry: now.entry, previous: old.entry, resync: false });
  if (event.type !== "updated") throw new Error(`expected an update, got ${event.type}`);
  expect([event.previousMetadata, event.metadata]).toEqual([before.metadata, after.metadata]);
  expect([old.looks(), now.looks()]).toEqual([0, 0]);
  expect([event.previous, event.object]).toEqual([before, after]);
});

test("metadata is that of the object, whichever is read first", () => {
  const first = eventOf<Thing>({ type: "added", entry: entryOf(after), initial: false });
  first.metadata.labels = { mine: "yes" };
  expect(first.object.metadata).toBe(first.metadata);
  expect(first.object).toEqual({ ...after, metadata: { ...after.metadata, labels: { mine: "yes" } } });
  const second = eventOf<Thing>({ type: "deleted", entry: entryOf(after), missed: true });
  expect(second.object.metadata).toBe(second.metadata);
  second.object.metadata = { ...second.object.metadata, name: "other" };
  expect(second.metadata.name).toBe("other");
});

test("metadata is read if only a parser can find it", () => {
  const odd = { ...thing("a/b", 1), ["__proto__"]: 1 } as Thing;
  const event = eventOf<Thing>({ type: "added", entry: entryOf(odd), initial: false });
  const { metadata } = event;
  expect(event.object.metadata).toBe(metadata);
});

test("metadataChanged is true if more than the resource version changed", () => {
  const labelled = (version: number, labels: object, rest: Partial<Thing> = {}): Thing =>
    thing("a/b", version, { ...rest, metadata: { labels, generation: 3 } as never });
  const one = labelled(9, { of: "us" });
  expect(updated(one, labelled(10, { of: "us" }, { status: { ready: true } })).metadataChanged).toBe(false);
  expect(updated(one, labelled(10, { of: "me" })).metadataChanged).toBe(true);
  expect(updated(one, labelled(10, { of: "us", more: "" })).metadataChanged).toBe(true);
  expect(updated(one, labelled(10, {})).metadataChanged).toBe(true);
});

test("metadataFieldChanged does not parse the rest", () => {
  const [old, now] = [watchingReflector(before), watchingReflector(after)];
  const event = eventOf<Thing>({ type: "updated", entry: now.entry, previous: old.entry, resync: false });
  if (event.type !== "updated") throw new Error(`expected an update, got ${event.type}`);
  for (const { entry } of [old, now]) entry.metadata = () => expect.unreachable("parsed all of it");
  const changed = (["labels", "annotations", "resourceVersion"] as const).map((field) =>
    metadataFieldChanged(event, field),
  );
  expect(changed).toEqual([true, false, true]);
  expect([old.looks(), now.looks()]).toEqual([0, 0]);
});

test("metadataFieldChanged accepts a plain object as event", () => {
  const { metadata, metadataChanged, previousMetadata } = updated(before, after);
  const rest = { type: "updated", key: "a/b", resourceVersion: "2", generation: undefined } as const;
  const objects = { object: after, previous: before, resync: false };
  const made = { ...rest, ...objects, metadata, metadataChanged, previousMetadata };
  const changed = (["labels", "annotations", "name"] as const).map((field) =>
    metadataFieldChanged(made, field),
  );
  expect(changed).toEqual([true, false, false]);
});

const texts = fc.dictionary(
  parsableKeys(
    fc.oneof(fc.constantFrom("resourceVersion", "generation", '"generation":1', "\u00e9"), fc.string()),
  ),
  fc.oneof(fc.constantFrom("1", "12", '"resourceVersion":"1"', "1,"), fc.string()),
  { noNullPrototype: true },
);
const metadata = fc.record({ labels: texts, annotations: texts, generation: fc.nat() }, { requiredKeys: [] });
const versions = fc.tuple(fc.constantFrom("1", "2", "12"), fc.constantFrom("2", "3", "23", "120"));
const pairs = fc.oneof(
  metadata.map((both) => [both, both] as const),
  fc.tuple(metadata, metadata),
);

test.each([true, false])(
  "results without parsing are those of a parser, own fields first: %s",
  (ownFirst) => {
    const build = (rest: object, resourceVersion: string): Thing => {
      const own = { name: "b", namespace: "a", resourceVersion };
      return {
        ...thing("a/b", 1),
        metadata: (ownFirst ? { ...own, ...rest } : { ...rest, ...own }) as never,
      };
    };
    fc.assert(
      fc.property(pairs, versions, ([first, second], [from, to]) => {
        const [old, now] = [build(first, from), build(second, to)];
        const event = updated(old, now);
        expect(event.generation).toBe(now.metadata.generation);
        const others = { ...now.metadata, resourceVersion: from };
        if (!event.metadataChanged) expect(others).toEqual(old.metadata);
        for (const field of ["labels", "annotations", "generation", "resourceVersion"] as const) {
          const [was, is] = [old.metadata[field] ?? {}, now.metadata[field] ?? {}];
          expect(metadataFieldChanged(event, field)).toBe(!isDeepStrictEqual(was, is));
        }
      }),
    );
  },
);

test("metadataFieldChanged accepts several fields, in any order, and after a complete comparison", () => {
  fc.assert(
    fc.property(placed, fc.oneof(placed, fc.constant(undefined)), wanted, (first, second, fields) => {
      const [old, now] = [placedThing("1", first), placedThing("22", second ?? first)];
      const changed = fields.some((field) => !isSameField(old.metadata[field], now.metadata[field]));
      const event = updated(old, now);
      const atSight = metadataFieldChanged(event, ...fields);
      void event.metadataChanged;
      expect([atSight, metadataFieldChanged(event, ...fields)]).toEqual([changed, changed]);
    }),
    { numRuns: 1000 },
  );
});

test("metadataFieldChanged works if the older version ends with its page and the newer is longer", () => {
  const spec = "x".repeat(300_000); // large enough for its own page
  const build = (metadata: object): Thing =>
    ({ apiVersion: "example.dev/v1", kind: "Thing", spec, metadata }) as Thing;
  const old = build({ name: "b", resourceVersion: "1" });
  const now = build({ name: "b", labels: { of: "x".repeat(100) }, resourceVersion: "2" });
  const changed = [updated(old, now), updated(now, old)].map((event) => [
    metadataFieldChanged(event, "labels"),
    metadataFieldChanged(event, "annotations"),
  ]);
  expect(changed).toEqual([
    [true, false],
    [true, false],
  ]);
});

const few = fc.dictionary(
  fc.constantFrom("a", "b", "labels", "é"),
  fc.constantFrom("", "1", "12", '"', "é"),
  {
    noNullPrototype: true,
  },
);
/** Metadata with few different values, and with the resource version at any place. */
const placed = fc.record({
  fields: fc.record(
    {
      annotations: few,
      labels: few,
      finalizers: fc.subarray(["x/a", "x/b", "y"]),
      generation: fc.constantFrom(1, 2, 12),
      deletionTimestamp: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"),
    },
    { requiredKeys: ["labels"] },
  ),
  at: fc.nat(5),
  turned: fc.boolean(),
});
const wanted = fc.subarray(
  ["annotations", "labels", "finalizers", "generation", "deletionTimestamp", "resourceVersion"] as const,
  { minLength: 1 },
);

function placedThing(version: string, { fields, at, turned }: Placed): Thing {
  const all: [string, unknown][] = Object.entries({ name: "b", namespace: "a", ...fields });
  if (turned) all.reverse();
  const metadata = Object.fromEntries(all.toSpliced(at, 0, ["resourceVersion", version]));
  return { ...thing("a/b", version), metadata: metadata as never };
}

type Placed = typeof placed extends fc.Arbitrary<infer T> ? T : never;

function isSameField(one: unknown, other: unknown): boolean {
  return (isEmpty(one) && isEmpty(other)) || isDeepStrictEqual(one, other);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && Object.keys(Object(value)).length === 0);
}

function updated(from: Thing, to: Thing): ObjectUpdated<Thing> {
  const change = { type: "updated", entry: entryOf(to), previous: entryOf(from), resync: false } as const;
  return eventOf<Thing>(change) as ObjectUpdated<Thing>;
}
