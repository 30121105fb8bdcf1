import type { CompiledSchema } from "./compiled-schema.ts";
import { invalid, required, tooMany } from "./field-error.ts";
import { fieldOf, type JsonObject } from "./json-value.ts";
import type { Walk } from "./walk.ts";

/** Reports what is wrong with the size of an object, its keys, its fields, and what it lacks. Counts one for it. */
export function checkObject(schema: CompiledSchema, value: JsonObject, walk: Walk): number {
  checkSize(schema, value, walk);
  const matches = checkKeys(schema, value, walk) + checkFields(schema, value, walk);
  for (const name of schema.schema.required ?? []) {
    if (!Object.hasOwn(value, name)) walk.report(required(walk.fieldPath(name)));
  }
  return matches + 1;
}

function checkSize({ schema }: CompiledSchema, value: JsonObject, walk: Walk): void {
  const { minProperties: least, maxProperties: most } = schema;
  if (least === undefined && most === undefined) return;
  const size = Object.keys(value).length;
  if (least !== undefined && size < least) walk.reportBound(size, `should have at least ${least} properties`);
  if (most !== undefined && size > most) walk.report(tooMany(walk.fieldPath(), size, most));
}

/** What stands under keys that are no declared fields. */
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
