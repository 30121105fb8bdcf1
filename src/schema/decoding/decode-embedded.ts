import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { errorText, type FieldError, invalid } from "../values/field-error.ts";
import { isArray, isObject, type JsonObject, withChanges } from "../values/json-value.ts";
import { decodeObjectMeta } from "./decode-object-meta.ts";
import { DecodeError } from "./decode-run.ts";
import type { DecodedTyped } from "./decode-typed.ts";

/** Thrown if the apiVersion, kind or metadata of an embedded resource cannot be decoded. */
export class EmbeddedMetaError extends DecodeError {
  readonly error: FieldError;

  constructor(error: FieldError, options?: ErrorOptions) {
    super(errorText(error), options);
    this.error = error;
  }
}

export interface EmbeddedPlace {
  readonly schema: CompiledSchema;
  readonly path: string;
  /** Collects the paths of unknown fields of embedded metadata. */
  readonly unknown: string[];
}

/**
 * Returns the value with the metadata of its embedded resources decoded. Does not modify its input.
 *
 * @throws {EmbeddedMetaError} if an apiVersion or kind is not a string, or metadata has a value of the wrong type
 */
export function decodeEmbedded(value: unknown, place: EmbeddedPlace): unknown {
  if (!place.schema.hasEmbeddedResources) return value;
  if (isArray(value)) return decodeList(value, place);
  return isObject(value) ? decodeObject(value, place) : value;
}

function decodeList(value: readonly unknown[], { schema: { items }, path, unknown }: EmbeddedPlace): unknown {
  if (!items) return value;
  return value.map((item, index) =>
    decodeEmbedded(item, { schema: items, path: `${path}[${index}]`, unknown }),
  );
}

function decodeObject(value: JsonObject, place: EmbeddedPlace): JsonObject {
  const changes = new Map<string, unknown>();
  for (const key of Object.keys(value)) changes.set(key, decodeField(value[key], key, place));
  return withChanges(value, changes);
}

function decodeField(field: unknown, key: string, { schema, path, unknown }: EmbeddedPlace): unknown {
  const declared = schema.properties.get(key);
  const child = declared ?? schema.values;
  const at = child === declared ? named(path, key) : `${path}[${key}]`;
  const decoded = schema.embeddedResource ? decodeMetaField(field, key, { path: at, unknown }) : field;
  return child ? decodeEmbedded(decoded, { schema: child, path: at, unknown }) : decoded;
}

function named(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Decodes a field of a resource if it is apiVersion, kind or metadata. */
function decodeMetaField(
  field: unknown,
  key: string,
  { path, unknown }: Pick<EmbeddedPlace, "path" | "unknown">,
): unknown {
  if ((key === "apiVersion" || key === "kind") && typeof field !== "string")
    throw new EmbeddedMetaError(invalid(path, field, "must be a string"));
  if (key !== "metadata") return field;
  const { value, problems } = decodeMeta(field, path);
  unknown.push(...problems.map((problem) => `${path}.${problem.path}`));
  return value;
}

function decodeMeta(field: unknown, path: string): DecodedTyped {
  try {
    return decodeObjectMeta(field);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new EmbeddedMetaError(invalid(path, field, error.message), { cause: error });
  }
}
