import { checkValue } from "./check-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { Correlation } from "./correlation.ts";
import type { FieldError } from "./field-error.ts";
import { Walk } from "./walk.ts";

export interface ValidateOptions {
  /** Where the value stands in its object, as errors name it. @default "" (it is the object) */
  readonly path?: string | undefined;
  /** What an update replaces: errors of parts that have not changed are forgiven. @default none, nothing is */
  readonly oldValue?: unknown;
}

/**
 * The errors of a value against a schema: types, bounds, formats, required fields, and what `allOf`, `anyOf`, `oneOf`
 * and `not` demand. In the order of the schema, each once.
 *
 * It does not look at the uniqueness of lists (`listErrors`), at embedded resources (`embeddedErrors`), or at rules.
 */
export function validate(
  value: unknown,
  schema: CompiledSchema,
  options: ValidateOptions = {},
): FieldError[] {
  const { path = "", oldValue } = options;
  const errors = errorsOf(value, schema, new Walk({ check: checkValue, prefix: path }));
  if (errors.length === 0 || oldValue === undefined) return errors;
  // Comparing with the old value costs more than validating, and most updates have no errors to forgive.
  const correlation = new Correlation(schema, { value, old: oldValue, root: path === "" });
  return errorsOf(value, schema, new Walk({ check: checkValue, prefix: path, correlation }));
}

function errorsOf(value: unknown, schema: CompiledSchema, walk: Walk): FieldError[] {
  walk.checkOrForgive(schema, value);
  return withoutRepeats(walk.errors);
}

/** The details of errors are compared by number: those of an enum name all its values, and many errors share them. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const details = new Map<string, number>();
  const known = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const number = details.get(detail) ?? details.size;
    details.set(detail, number);
    const before = known.size;
    return known.add(`${type} ${number} ${field}`).size > before;
  });
}
