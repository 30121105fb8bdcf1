import assert from "node:assert/strict";
import fc from "fast-check";
import type { KubeObject } from "../api/index.ts";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import { Entry } from "./entry.ts";
import { EntryReader } from "./entry-reader.ts";
import { lazyObject } from "./lazy-object.ts";
import { hostileObjects, Thing } from "./objects.fixture.ts";
import { Slab } from "./slab.ts";

/** An event gives the entry that parsing would, among other lines in one chunk. */
export const eventsAreReadAsParsed: fc.IProperty<unknown> = fc.property(
  hostileObjects,
  fc.constantFrom("ADDED", "MODIFIED", "DELETED"),
  (object, type) => {
    const bytes = Buffer.from(`before\n${JSON.stringify({ type, object })}\nafter`);
    const frame = reader().frame(bytes, 7, bytes.length - 6);
    if (!("entry" in frame)) throw new Error(`expected an entry, got ${JSON.stringify(frame)}`);
    assert.equal(frame.type, type.toLowerCase());
    assert.deepEqual(readsOf(frame.entry), expectedReads(object));
  },
);

/** And so does an item of a list, which ends where it ends. */
export const itemsAreReadAsParsed: fc.IProperty<unknown> = fc.property(hostileObjects, (object) => {
  const bytes = Buffer.from(`[{},${JSON.stringify(object)},{}]`);
  const { end, entry } = reader().item(bytes, 4);
  assert.equal(end, bytes.length - 4);
  if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
  assert.deepEqual(readsOf(entry), expectedReads(object));
});

/** And so does the answer to a write, with the line end that servers put after it or without. */
export const answersAreReadAsParsed: fc.IProperty<unknown> = fc.property(
  hostileObjects,
  fc.constantFrom("", "\n"),
  (object, end) => {
    const text = JSON.stringify(object);
    const entry = reader().answered(JSON.parse(text), Buffer.from(`${text}${end}`));
    if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
    assert.deepEqual(readsOf(entry), expectedReads(object));
  },
);

/** And so does one that is packed, by what another version of it says. */
export const packedAreReadAsParsed: fc.IProperty<unknown> = fc.property(hostileObjects, (object) => {
  const packing = reader(new AdaptiveCompressor({ after: 0, from: 1 }));
  packing.item(Buffer.from(JSON.stringify(object)), 0);
  const { metadata } = object;
  const other = { ...object, metadata: { ...metadata, resourceVersion: `${metadata.resourceVersion}0` } };
  const { entry } = packing.item(Buffer.from(JSON.stringify(other)), 0);
  if (!(entry instanceof Entry)) throw new Error(`expected an entry, got ${JSON.stringify(entry)}`);
  assert.ok(entry.length < entry.size);
  assert.deepEqual(readsOf(entry), expectedReads(other));
});

function reader(packer?: AdaptiveCompressor): EntryReader<Thing> {
  return new EntryReader({ kind: Thing, slab: new Slab(), packer });
}

/** What reads of an entry have to give: what parsing gives, with its type and without managedFields. */
function plainly(object: KubeObject): KubeObject {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(object)) as KubeObject;
  delete metadata.managedFields;
  return { ...{ apiVersion: "example.dev/v1", kind: "Thing" }, ...rest, metadata };
}

/** Also the order of its fields matters to nobody, so values are compared alone. */
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
  const plain = plainly(object);
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
