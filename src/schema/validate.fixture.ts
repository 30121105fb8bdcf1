import { compileSchema } from "./compile-schema.ts";
import { errorText, type FieldError } from "./field-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

/** The errors of a value as the field `f` of a spec: the type of each, and its text. */
export function errorsOf(value: unknown, schema: StructuralSchema): string[] {
  return told(validate({ spec: { f: value } }, compileSchema(objectWith(schema))));
}

/** The schema of an object whose spec has one field, `f`. */
export function objectWith(schema: StructuralSchema): StructuralSchema {
  return { type: "object", properties: { spec: { type: "object", properties: { f: schema } } } };
}

export function told(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.type} ${errorText(error)}`);
}
