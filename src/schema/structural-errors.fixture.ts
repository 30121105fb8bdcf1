import type { CrdSchema } from "./crd-schema.ts";
import { type FieldError, invalid } from "./field-error.ts";
import { isObject } from "./json-value.ts";
import { structuralErrors } from "./structural-errors.ts";
import { told } from "./validate.fixture.ts";

/** Why a schema that stands at `@` is refused: the type of each error, and its text. */
export function refusals(schema: CrdSchema, options: { status?: boolean } = {}): string[] {
  return told(structuralErrors(schema, "@", { ...options, metadata: nameErrors }));
}

/** The same for the schema of a field further inside, as if it stood at `@`. */
export function fieldRefusals(field: CrdSchema): string[] {
  const root = { type: "object", properties: { spec: { type: "object", properties: { f: field } } } };
  return refusals(root).map((text) => text.replaceAll("@.properties[spec].properties[f]", "@"));
}

/** One of the rules for metadata, of which the schema knows nothing itself. */
function nameErrors(metadata: unknown, path: string): FieldError[] {
  const name = isObject(metadata) ? metadata.name : undefined;
  if (typeof name !== "string" || !name.includes("/")) return [];
  return [invalid(`${path}.name`, name, "may not contain '/'")];
}
