import { objectMetaSchema } from "../structure/typed-schema.ts";
import { isArray, isObject, type JsonObject } from "../values/json-value.ts";
import { type DecodedTyped, decodeTyped } from "./decode-typed.ts";

/**
 * Decodes the metadata of an object of any kind with `decodeTyped`. Drops empty fields, as Go does when it writes
 * metadata.
 *
 * @throws {DecodeError} if a value has another type than its field; paths are relative to the metadata
 */
export function decodeObjectMeta(metadata: unknown): DecodedTyped {
  const { value, problems } = decodeTyped(metadata, objectMetaSchema());
  return { value: isObject(value) ? withoutEmpty(value) : {}, problems };
}

function withoutEmpty(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).filter(([name, value]) => name === pointerField || !isEmpty(value)),
  );
}

/** The only number of metadata that is a pointer, so it may be zero. */
const pointerField = "deletionGracePeriodSeconds";

function isEmpty(value: unknown): boolean {
  if (isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === "" || value === 0;
}
