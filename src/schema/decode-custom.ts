import type { CompiledSchema } from "./compiled-schema.ts";
import { decodeEmbedded } from "./embedded-meta.ts";
import { fieldOf, isArray, isObject, withChanges } from "./json-value.ts";
import { decodeObjectMeta } from "./object-meta.ts";
import { prune } from "./prune.ts";

export interface DecodedCustom {
  readonly value: unknown;
  /** The paths of unknown fields, in the order kube-apiserver names them: metadata, the rest, embedded metadata. */
  readonly unknown: readonly string[];
}

/**
 * Decodes an object of a custom kind as kube-apiserver does: metadata as that of built-in kinds, in embedded
 * resources too, and everything else pruned by the schema. Defaults are not set. Nothing is changed in place.
 *
 * @throws {DecodeError} if metadata, or what names an embedded resource, has the wrong type
 */
export function decodeCustom(value: unknown, schema: CompiledSchema): DecodedCustom {
  const root = decodeRootMeta(value);
  const pruned = prune(root.value, schema, { resource: true });
  const unknown: string[] = [];
  const decoded = decodeEmbedded(pruned.value, { schema, path: "", unknown });
  return { value: decoded, unknown: [...root.unknown, ...pruned.unknown, ...unknown.sort()] };
}

/** Metadata as it is written again before it is read: the first fault is the first by name. */
function inOrder(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (isArray(value)) return value.map((item) => inOrder(item, depth + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(fieldOf(value, name), depth + 1)]));
}

/** No field of metadata is deeper, but for what a manager owns, which is not read. */
const deepest = 4;

function decodeRootMeta(value: unknown): DecodedCustom {
  const metadata = isObject(value) ? fieldOf(value, "metadata") : undefined;
  if (!isObject(value) || metadata === undefined) return { value, unknown: [] };
  const decoded = decodeObjectMeta(inOrder(metadata));
  return {
    value: withChanges(value, new Map([["metadata", decoded.value]])),
    unknown: decoded.problems.map(({ path }) => `metadata.${path}`),
  };
}
