import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorText, type FieldError } from "../values/field-error.ts";
import { compileSchema } from "./compile-schema.ts";
import { validate } from "./validate.ts";

/** Returns the type and text of each error of a value in the field `f` of a spec. */
export function errorsOf(value: unknown, schema: StructuralSchema): string[] {
  return errorLines(validate({ spec: { f: value } }, compileSchema(objectWith(schema))));
}

/** Returns the schema of an object whose spec has one field, `f`. */
export function objectWith(schema: StructuralSchema): StructuralSchema {
  return { type: "object", properties: { spec: { type: "object", properties: { f: schema } } } };
}

export function errorLines(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.type} ${errorText(error)}`);
}
