import type { CrdSchema } from "../structure/crd-schema.ts";
import { errorLines } from "../validation/validate.fixture.ts";
import { type FieldError, invalid } from "../values/field-error.ts";
import { isObject } from "../values/json-value.ts";
import { structuralErrors } from "./structural-errors.ts";

/** Returns the type and text of each error of a schema at the path `@`. */
export function errorsOfSchema(schema: CrdSchema, options: { status?: boolean } = {}): string[] {
  return errorLines(structuralErrors(schema, "@", { ...options, metadata: nameErrors }));
}

/** Returns the same for the schema of a nested field, as if it were at the path `@`. */
export function errorsOfField(field: CrdSchema): string[] {
  const root = { type: "object", properties: { spec: { type: "object", properties: { f: field } } } };
  return errorsOfSchema(root).map((text) => text.replaceAll("@.properties[spec].properties[f]", "@"));
}

/** One of the rules for metadata, which the caller of `structuralErrors` provides. */
function nameErrors(metadata: unknown, path: string): FieldError[] {
  const name = isObject(metadata) ? metadata.name : undefined;
  if (typeof name !== "string" || !name.includes("/")) return [];
  return [invalid(`${path}.name`, name, "may not contain '/'")];
}
