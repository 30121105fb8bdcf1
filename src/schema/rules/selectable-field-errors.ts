import type { SelectableField } from "../../api/types/apiextensions/v1.ts";
import type { CrdSchema } from "../structure/crd-schema.ts";
import { FieldPathError, type ResolvedPath, resolveFieldPath } from "../structure/field-path.ts";
import { duplicate, type FieldError, invalid, required, tooMany } from "../values/field-error.ts";

const maxFields = 8;

/** Returns the errors in the selectable fields of a version. */
export function selectableFieldErrors(
  fields: readonly SelectableField[],
  path: string,
  schema: CrdSchema = {},
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) =>
    fieldErrors(jsonPath, { errorPath: `${path}[${index}].jsonPath`, schema, seen }),
  );
  return seen.size > maxFields ? [...errors, tooMany(path, seen.size, maxFields)] : errors;
}

interface FieldContext {
  readonly errorPath: string;
  readonly schema: CrdSchema;
  /** The paths of the preceding fields. */
  readonly seen: Set<string>;
}

function fieldErrors(text: string, { errorPath, schema, seen }: FieldContext): FieldError[] {
  if (text === "") return [required(errorPath)];
  const found = resolve(text, schema);
  if (typeof found === "string") return [invalid(errorPath, text, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.root === "metadata")
    errors.push(invalid(errorPath, text, "must not point to fields in metadata"));
  if (!isScalar(found.schema)) errors.push(invalid(errorPath, text, onlyScalars));
  if (seen.has(found.path)) errors.push(duplicate(errorPath, text));
  seen.add(found.path);
  return errors;
}

const onlyScalars =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

/** Returns the resolved path, or the message why it is invalid. */
function resolve(text: string, schema: CrdSchema): ResolvedPath | string {
  try {
    return resolveFieldPath(text, schema, { brackets: false });
  } catch (error) {
    if (error instanceof FieldPathError) return error.message;
    throw error;
  }
}

function isScalar(schema: CrdSchema | undefined): boolean {
  return schema?.type === "string" || schema?.type === "boolean" || schema?.type === "integer";
}
