import fc from "fast-check";
import { parsableKeys } from "../../../test/json-keys.ts";
import { type Kind, type KubeObject, kind } from "../../api/index.ts";
import type { Entry } from "./entry.ts";
import { EntryReader } from "./entry-reader.ts";
import { release, Slab } from "./slab.ts";

/** A kind for tests, with any spec and status. */
export interface Thing extends KubeObject {
  readonly kind: "Thing";
  spec?: unknown;
  status?: unknown;
}

export const Thing: Kind<Thing> = kind<Thing>({
  group: "example.dev",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
}) as Kind<Thing>; // plural and scope are given

export function thing(key: string, resourceVersion: string | number, rest: Partial<Thing> = {}): Thing {
  const [name = "", namespace] = key.split("/").reverse();
  const { metadata, ...others } = rest;
  return {
    apiVersion: "example.dev/v1",
    kind: "Thing",
    metadata: {
      name,
      ...(namespace && { namespace }),
      resourceVersion: String(resourceVersion),
      ...metadata,
    },
    ...others,
  } as Thing; // no test needs the other metadata of the server
}

/** Returns the entry of an object, as a cache makes it. It is incoming and not retained. */
export function entryOf(object: KubeObject, slab: Slab = new Slab()): Entry {
  const found = new EntryReader<KubeObject>({ kind: Thing as Kind, slab }).object(object);
  if ("error" in found) throw found.error;
  release(found); // the reader retains it until it settles
  return found;
}

/** Keys that a scanner could confuse with others, or with an end. */
const hostileKey = parsableKeys(
  fc.oneof(
    fc.constantFrom("metadata", "managedFields", "name", "namespace", "resourceVersion", "labels", "kind"),
    fc.constantFrom("items", "object", "type", "", '"', "\\", '\\"', "}", "__proto__", "é", "a\u2028b"),
    fc.string({ unit: "grapheme" }),
  ),
);

/** JSON values that a scanner could confuse with something else. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -0, 1e-7, -1.5e300, 2 ** 53, 5e-324, "", '"', "\\", '\\"', "}]"),
    fc.constantFrom('{"metadata":{"managedFields":[]}}', "é\u2028😀", "\ud800", "\u0000", "x".repeat(5000)),
    fc.string({ unit: "grapheme" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(hostileKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const hostileFields = fc.dictionary(hostileKey, hostileValue, { maxKeys: 5, noNullPrototype: true });

/** Objects with their fields in any order, and with other fields that resemble them. */
export const hostileObjects: fc.Arbitrary<KubeObject> = fc
  .record({
    name: fc.oneof(fc.stringMatching(/^[a-z0-9.-]{1,20}$/), fc.constantFrom("é", 'a"b', "a\\b")),
    namespace: fc.option(fc.oneof(fc.stringMatching(/^[a-z0-9-]{1,9}$/), fc.constant("ü")), {
      nil: undefined,
    }),
    resourceVersion: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
    labels: fc.option(
      fc.dictionary(parsableKeys(fc.string({ unit: "grapheme" })), fc.string(), { noNullPrototype: true }),
      {
        nil: undefined,
      },
    ),
    managedFields: fc.option(fc.array(hostileFields, { maxLength: 3 }), { nil: undefined }),
    typed: fc.boolean(),
    inMetadata: hostileFields,
    inObject: hostileFields,
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ name, namespace, resourceVersion, labels, managedFields, typed, inMetadata, inObject, order }) => {
    const known = { name, namespace, resourceVersion, labels, managedFields };
    const metadata = shuffled({ ...inMetadata, ...known }, order);
    const { kind: _, apiVersion: __, ...others } = inObject;
    const type = typed ? { kind: "Thing", apiVersion: "example.dev/v1" } : {};
    return shuffled({ ...others, ...type, metadata }, order) as KubeObject; // it has all required fields
  });

function shuffled(object: object, order: readonly number[]): object {
  const entries = Object.entries(object).filter(([, entry]) => entry !== undefined);
  const placed = entries.map((entry, index) => ({ entry, place: order[index % order.length] ?? 0 }));
  return Object.fromEntries(placed.sort((a, b) => a.place - b.place).map(({ entry }) => entry));
}
