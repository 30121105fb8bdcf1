import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { invalid, required, tooMany } from "../values/field-error.ts";
import { fieldOf, type JsonObject } from "../values/json-value.ts";

/**
 * Reports invalid size, keys and fields, and missing required fields. Returns one plus the match count of the fields.
 */
export function checkObject(schema: CompiledSchema, value: JsonObject, walk: Walk): number {
  checkSize(schema, value, walk);
  const matches = checkKeys(schema, value, walk) + checkFields(schema, value, walk);
  for (const name of schema.schema.required ?? []) {
    if (!Object.hasOwn(value, name)) walk.report(required(walk.fieldPath(name)));
  }
  return matches + 1;
}

function checkSize({ schema }: CompiledSchema, value: JsonObject, walk: Walk): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return;
  const size = Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties)
    walk.reportBound(size, `should have at least ${minProperties} properties`);
  if (maxProperties !== undefined && size > maxProperties)
    walk.report(tooMany(walk.fieldPath(), size, maxProperties));
}

/** Checks the values of keys that are not declared properties. */
function checkKeys({ schema, properties, values }: CompiledSchema, value: JsonObject, walk: Walk): number {
  if (!values && schema.additionalProperties !== false) return 0;
  let matches = 0;
  for (const key of Object.keys(value)) {
    if (properties.has(key)) continue;
    if (values) matches += walk.checkKey(values, key, value[key]);
    else walk.report(forbiddenKey(key, walk));
  }
  return matches;
}

function forbiddenKey(key: string, walk: Walk): ReturnType<typeof invalid> {
  return invalid(walk.fieldPath(), key, `${walk.path}.${key} in body is a forbidden property`);
}

function checkFields({ properties }: CompiledSchema, value: JsonObject, walk: Walk): number {
  let matches = 0;
  for (const [name, schema] of properties) {
    if (Object.hasOwn(value, name)) matches += walk.checkField(schema, name, fieldOf(value, name));
  }
  return matches;
}
