import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { type FieldError, invalid, tooLong, typeInvalid } from "../values/field-error.ts";
import { goQuoted } from "../values/go-text.ts";

/**
 * Reports a string that violates a bound or its format. Returns a match count of one, or two if the format is checked.
 */
export function checkString(schema: CompiledSchema, value: string, walk: Walk): number {
  const error = boundError(schema, value, walk);
  if (error) walk.report(error);
  return 1 + checkFormat(schema, value, walk);
}

/** Returns the error of the first violated bound. kube-apiserver reports only that one. */
function boundError({ schema, pattern }: CompiledSchema, value: string, walk: Walk): FieldError | undefined {
  const { maxLength, minLength } = schema;
  if (maxLength !== undefined && isLonger(value, maxLength)) return tooLong(walk.fieldPath(), maxLength);
  if (minLength !== undefined && minLength > 0 && !isLonger(value, minLength - 1))
    return violated(value, `should be at least ${minLength} chars long`, walk);
  if (pattern && !pattern.matches(value)) return violated(value, `should match '${pattern.source}'`, walk);
  return undefined;
}

function violated(value: string, rule: string, walk: Walk): FieldError {
  return invalid(walk.fieldPath(), value, `${walk.path} in body ${rule}`);
}

/**
 * Returns true if a string has more characters than `characters`. Counts them only if the length in UTF-16 units does
 * not decide it.
 */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > characters * 2 || Array.from(text).length > characters;
}

function checkFormat({ format, formatTest }: CompiledSchema, value: string, walk: Walk): number {
  if (!formatTest) return 0;
  if (!formatTest(value)) {
    const detail = `${walk.path} in body must be of type ${format}: ${goQuoted(value)}`;
    walk.report(typeInvalid(walk.fieldPath(), value, detail));
  }
  return 1;
}
