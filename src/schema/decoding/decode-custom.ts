import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { fieldOf, isArray, isObject, withChanges } from "../values/json-value.ts";
import { decodeEmbedded } from "./decode-embedded.ts";
import { decodeObjectMeta } from "./decode-object-meta.ts";
import { prune } from "./prune.ts";

export interface DecodedCustom {
  readonly value: unknown;
  /** Paths of unknown fields, in kube-apiserver's order: metadata, the rest, embedded metadata. */
  readonly unknown: readonly string[];
}

/**
 * Decodes an object of a custom kind as kube-apiserver does: decodes metadata like that of built-in kinds, including
 * the metadata of embedded resources, and prunes the rest by the schema. Does not set defaults and does not modify its
 * input.
 *
 * @throws {DecodeError} if metadata, or the apiVersion or kind of an embedded resource, has the wrong type
 */
export function decodeCustom(value: unknown, schema: CompiledSchema): DecodedCustom {
  const root = decodeRootMeta(value);
  const pruned = prune(root.value, schema, { resource: true });
  const unknown: string[] = [];
  const decoded = decodeEmbedded(pruned.value, { schema, path: "", unknown });
  return { value: decoded, unknown: [...root.unknown, ...pruned.unknown, ...unknown.sort()] };
}

/**
 * Sorts keys by name, because kube-apiserver encodes metadata again before it decodes it: the first error is the first
 * by name.
 */
function sortKeys(value: unknown, depth = 0): unknown {
  if (depth > metadataDepth) return value;
  if (isArray(value)) return value.map((item) => sortKeys(item, depth + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys(fieldOf(value, name), depth + 1)]));
}

/** The depth of metadata. Only `fieldsV1` is deeper, and it is not decoded. */
const metadataDepth = 4;

function decodeRootMeta(value: unknown): DecodedCustom {
  const metadata = isObject(value) ? fieldOf(value, "metadata") : undefined;
  if (!isObject(value) || metadata === undefined) return { value, unknown: [] };
  const decoded = decodeObjectMeta(sortKeys(metadata));
  return {
    value: withChanges(value, new Map([["metadata", decoded.value]])),
    unknown: decoded.problems.map(({ path }) => `metadata.${path}`),
  };
}
