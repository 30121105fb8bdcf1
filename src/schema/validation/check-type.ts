import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { typeInvalid } from "../values/field-error.ts";
import { goQuoted } from "../values/go-text.ts";
import { isNextToInteger, type JsonType, typeOf } from "../values/json-value.ts";

/** Reports a value of the wrong type. Returns one if the schema has a type, plus one if the value is of that type. */
export function checkType(schema: CompiledSchema, value: unknown, walk: Walk): number {
  if (schema.types.length === 0 && schema.format === "") return 0;
  const type = typeOf(value);
  const mismatch = mismatchOf(schema, value, type);
  if (mismatch) reportType(mismatch, walk);
  return mismatch ? 1 : 2;
}

/** Reports a `null` that is not allowed. Returns a match count of one if it is allowed. */
export function checkNullType({ types, nullable }: CompiledSchema, walk: Walk): number {
  if (types.length === 0 || nullable) return 1;
  reportType({ expected: types.join(","), actual: "null" }, walk);
  return 0;
}

interface Mismatch {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Returns the expected and actual type names of a mismatch. With a format, the expected name is the format, and the
 * actual name is Go's name of the value's type, which is empty for booleans and objects.
 */
function mismatchOf(schema: CompiledSchema, value: unknown, type: JsonType): Mismatch | undefined {
  const { types, format } = schema;
  if (isOneOf(types, type, value)) return undefined;
  if (format === "") return { expected: types.join(","), actual: type };
  if (type !== "string" && type !== "array") return { expected: format, actual: goFormats[type] ?? "" };
  const numeric = types.includes("integer") || types.includes("number");
  return numeric ? { expected: types.join(","), actual: type } : undefined;
}

const goFormats: Partial<Record<JsonType, string>> = { integer: "int64", number: "float64" };

/**
 * Returns true if the type is allowed. An integer counts as a number, and a number counts as an integer if it is next
 * to one.
 */
function isOneOf(types: readonly string[], type: JsonType, value: unknown): boolean {
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return true;
  return type === "number" && types.includes("integer") && isNextToInteger(value);
}

function reportType({ expected, actual }: Mismatch, walk: Walk): void {
  const detail = `${walk.path} in body must be of type ${expected}: ${goQuoted(actual)}`;
  walk.report(typeInvalid(walk.fieldPath(), actual, detail));
}
