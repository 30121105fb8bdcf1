import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { Correlation } from "../structure/correlation.ts";
import { Walk } from "../structure/walk.ts";
import type { FieldError } from "../values/field-error.ts";
import { checkValue } from "./check-value.ts";

export interface ValidateOptions {
  /** The path of the value in its object, as errors print it. @default "" (the value is the object) */
  readonly path?: string | undefined;
  /** The value that an update replaces. Errors of unchanged parts are dropped. @default none, so no error is dropped */
  readonly oldValue?: unknown;
}

/**
 * Validates a value against a schema: types, bounds, formats, required fields, `allOf`, `anyOf`, `oneOf` and `not`.
 * Returns the errors in schema order, each once.
 *
 * It does not check the uniqueness of lists (`listErrors`), embedded resources (`embeddedErrors`) or validation rules.
 */
export function validate(
  value: unknown,
  schema: CompiledSchema,
  options: ValidateOptions = {},
): FieldError[] {
  const { path = "", oldValue } = options;
  const errors = errorsOf(value, schema, new Walk({ check: checkValue, prefix: path }));
  if (errors.length === 0 || oldValue === undefined) return errors;
  // Comparing with the old value costs more than validating, and most updates have no errors to drop.
  const correlation = new Correlation(schema, { value, old: oldValue, root: path === "" });
  return errorsOf(value, schema, new Walk({ check: checkValue, prefix: path, correlation }));
}

function errorsOf(value: unknown, schema: CompiledSchema, walk: Walk): FieldError[] {
  walk.checkRatcheting(schema, value);
  return withoutDuplicates(walk.errors);
}

/**
 * Details are compared by number: the detail of an enum error is long, because it names all values, and many errors
 * share it.
 */
function withoutDuplicates(errors: readonly FieldError[]): FieldError[] {
  const details = new Map<string, number>();
  const seen = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const number = details.get(detail) ?? details.size;
    details.set(detail, number);
    const before = seen.size;
    return seen.add(`${type} ${number} ${field}`).size > before;
  });
}
