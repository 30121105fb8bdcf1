import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { isArray, isObject, type JsonObject, withChanges } from "../values/json-value.ts";

export interface Pruned {
  /** The value without its unknown fields, or the same value if there are none. */
  readonly value: unknown;
  /** Sorted paths of the removed fields, such as `spec.list[0].foo`. */
  readonly unknown: readonly string[];
}

export interface PruneOptions {
  /** True if the value is a whole object, so that its apiVersion, kind and metadata stay. @default false */
  readonly resource?: boolean | undefined;
}

/**
 * Removes the fields that a schema does not declare, at every depth.
 *
 * A preserved unknown field stays with its whole content, while declared fields beside it are pruned inside. Embedded
 * resources keep apiVersion, kind and metadata. Does not modify its input.
 */
export function prune(value: unknown, schema: CompiledSchema, options: PruneOptions = {}): Pruned {
  const unknown: string[] = [];
  const root = options.resource ? { ...schema, embeddedResource: true } : schema;
  const pruned = pruneValue(value, { schema: root, path: "", unknown });
  return { value: pruned, unknown: unknown.sort() };
}

/** The position of the pruning. Without a schema, every field of an object is unknown. */
interface Place {
  readonly schema: CompiledSchema | undefined;
  readonly path: string;
  readonly unknown: string[];
}

function pruneValue(value: unknown, place: Place): unknown {
  if (isArray(value)) return pruneList(value, place);
  return isObject(value) ? pruneObject(value, place) : value;
}

function pruneList(value: readonly unknown[], { schema, path, unknown }: Place): unknown {
  const { items } = schema ?? {};
  if (!items && schema?.preservesUnknown) return value;
  const elements = value.map((element, index) =>
    pruneValue(element, { schema: itemsOf(schema), path: `${path}[${index}]`, unknown }),
  );
  return elements.every((element, index) => element === value[index]) ? value : elements;
}

/** Returns the schema of the elements. A list that preserves unknown fields passes that on only to nested lists. */
function itemsOf(schema: CompiledSchema | undefined): CompiledSchema | undefined {
  if (!schema?.items || !schema.preservesUnknown) return schema?.items;
  return { ...schema.items, preservesUnknown: true };
}

function pruneObject(value: JsonObject, place: Place): unknown {
  const changes = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const field = value[key];
    const pruned = pruneField(field, key, place);
    if (pruned !== field) changes.set(key, pruned);
  }
  return changes.size === 0 ? value : withChanges(value, changes);
}

/** Returns the pruned field, or `undefined` if it is removed. */
function pruneField(field: unknown, key: string, { schema, path, unknown }: Place): unknown {
  if (schema?.embeddedResource && metaFields.has(key)) return field;
  const declared = schema?.properties.get(key);
  if (declared || schema?.hasValues) {
    if (typeof field !== "object") return field;
    return pruneValue(field, { schema: declared ?? schema?.values, path: pathTo(path, key), unknown });
  }
  if (schema?.preservesUnknown) return field;
  unknown.push(pathTo(path, key));
  return undefined;
}

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function pathTo(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
