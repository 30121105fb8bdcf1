import assert from "node:assert/strict";
import fc from "fast-check";
import type { KubeObject } from "../../api/index.ts";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import { Entry } from "./entry.ts";
import { EntryReader } from "./entry-reader.ts";
import { lazyObject } from "./lazy-object.ts";
import { hostileObjects, Thing } from "./objects.fixture.ts";
import { Slab } from "./slab.ts";

/** An event among other lines of a chunk becomes the entry that parsing would make. */
export const eventsAreReadAsParsed: fc.IProperty<unknown> = fc.property(
  hostileObjects,
  fc.constantFrom(["ADDED", "added"], ["MODIFIED", "updated"], ["DELETED", "deleted"]),
  (object, [type, delta]) => {
    const bytes = Buffer.from(`before\n${JSON.stringify({ type, object })}\nafter`);
    const frame = reader().frame(bytes, 7, bytes.length - 6);
    if (!("entry" in frame)) throw new Error(`expected an entry, got ${JSON.stringify(frame)}`);
    assert.equal(frame.type, delta);
    assert.deepEqual(readsOf(frame.entry), expectedReads(object));
  },
);

/** An item of a list becomes the entry that parsing would make, and its end is found. */
export const itemsAreReadAsParsed: fc.IProperty<unknown> = fc.property(hostileObjects, (object) => {
  const bytes = Buffer.from(`[{},${JSON.stringify(object)},{}]`);
  const { end, entry } = reader().item(bytes, 4);
  assert.equal(end, bytes.length - 4);
  if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
  assert.deepEqual(readsOf(entry), expectedReads(object));
});

/** The response to a write becomes the entry that parsing would make, with or without a trailing newline. */
export const responsesAreReadAsParsed: fc.IProperty<unknown> = fc.property(
  hostileObjects,
  fc.constantFrom("", "\n"),
  (object, end) => {
    const text = JSON.stringify(object);
    const entry = reader().responseObject(JSON.parse(text), Buffer.from(`${text}${end}`));
    if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
    assert.deepEqual(readsOf(entry), expectedReads(object));
  },
);

/** An object that is compressed with another version as dictionary becomes the entry that parsing would make. */
export const compressedAreReadAsParsed: fc.IProperty<unknown> = fc.property(hostileObjects, (object) => {
  const compressing = reader(new AdaptiveCompressor({ startAfterBytes: 0, sampleBytes: 1 }));
  compressing.item(Buffer.from(JSON.stringify(object)), 0);
  const { metadata } = object;
  const other = { ...object, metadata: { ...metadata, resourceVersion: `${metadata.resourceVersion}0` } };
  const { entry } = compressing.item(Buffer.from(JSON.stringify(other)), 0);
  if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
  assert.ok(entry.length < entry.size);
  assert.deepEqual(readsOf(entry), expectedReads(other));
});

function reader(compressor?: AdaptiveCompressor): EntryReader<Thing> {
  return new EntryReader({ kind: Thing, slab: new Slab(), compressor });
}

/** Returns the expected object: the parsed one, with its type and without managed fields. */
function expectedObject(object: KubeObject): KubeObject {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(object)) as KubeObject;
  delete metadata.managedFields;
  return { ...{ apiVersion: "example.dev/v1", kind: "Thing" }, ...rest, metadata };
}

/** Returns the results of all ways to read an entry. The order of fields does not matter. */
function readsOf(entry: Entry): unknown {
  const { namespace, name, resourceVersion } = entry;
  const { labels, ...metadata } = entry.metadata();
  const lazy = lazyObject(entry);
  return {
    identity: { namespace, name, resourceVersion },
    parsed: entry.parse(),
    metadata: { ...metadata, ...(labels && { labels }) },
    labels: entry.labels(),
    lazyMetadata: lazy.metadata,
    lazy: { ...lazy },
  };
}

function expectedReads(object: KubeObject): unknown {
  const plain = expectedObject(object);
  const { namespace = "", name, resourceVersion, labels } = plain.metadata;
  return {
    identity: { namespace, name, resourceVersion },
    parsed: plain,
    metadata: plain.metadata,
    labels,
    lazyMetadata: plain.metadata,
    lazy: plain,
  };
}
