import type { SelectableField } from "../../api/types/apiextensions/v1.ts";
import {
  type CrdSchema,
  duplicate,
  type FieldError,
  FieldPathError,
  invalid,
  type ResolvedPath,
  required,
  resolveFieldPath,
  tooMany,
} from "../../schema/index.ts";

const mostFields = 8;

/** What is wrong with the fields that a version wants to be selected by. */
export function selectableFieldErrors(
  fields: readonly SelectableField[],
  path: string,
  schema: CrdSchema = {},
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) =>
    fieldErrors(jsonPath, { at: `${path}[${index}].jsonPath`, schema, seen }),
  );
  return seen.size > mostFields ? [...errors, tooMany(path, seen.size, mostFields)] : errors;
}

interface Place {
  readonly at: string;
  readonly schema: CrdSchema;
  /** The paths before this one. */
  readonly seen: Set<string>;
}

function fieldErrors(text: string, { at, schema, seen }: Place): FieldError[] {
  if (text === "") return [required(at)];
  const found = resolve(text, schema);
  if (typeof found === "string") return [invalid(at, text, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.root === "metadata") errors.push(invalid(at, text, "must not point to fields in metadata"));
  if (!isScalar(found.schema)) errors.push(invalid(at, text, onlyScalars));
  if (seen.has(found.path)) errors.push(duplicate(at, text));
  seen.add(found.path);
  return errors;
}

const onlyScalars =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

/** Where the path leads, or why it leads nowhere. */
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
