import { type DecodedTyped, decodeTyped } from "./decode-typed.ts";
import { isArray, isObject, type JsonObject } from "./json-value.ts";
import { objectMetaSchema } from "./typed-schema.ts";

/**
 * Decodes the metadata of an object of any kind, as `decodeTyped` does. Empty fields are left out, as they are when
 * Go writes metadata.
 *
 * @throws {DecodeError} if something is of another type than its field; paths are those inside the metadata
 */
export function decodeObjectMeta(metadata: unknown): DecodedTyped {
  const { value, problems } = decodeTyped(metadata, objectMetaSchema());
  return { value: isObject(value) ? withoutEmpty(value) : {}, problems };
}

function withoutEmpty(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => name === pointer || !isEmpty(value)),
  );
}

/** The one number that may be zero. */
const pointer = "deletionGracePeriodSeconds";

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === "" || value === 0;
}
