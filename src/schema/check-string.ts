import type { CompiledSchema } from "./compiled-schema.ts";
import { type FieldError, invalid, tooLong, typeInvalid } from "./field-error.ts";
import { goQuoted } from "./go-text.ts";
import type { Walk } from "./walk.ts";

/** Reports a string that breaks a bound or its format. Counts one, and one more if its format is checked. */
export function checkString(schema: CompiledSchema, value: string, walk: Walk): number {
  const broken = brokenBound(schema, value, walk);
  if (broken) walk.report(broken);
  return 1 + checkFormat(schema, value, walk);
}

/** The first bound that is broken: only that one is told. */
function brokenBound({ schema, pattern }: CompiledSchema, value: string, walk: Walk): FieldError | undefined {
  const { maxLength, minLength } = schema;
  if (maxLength !== undefined && isLonger(value, maxLength)) return tooLong(walk.fieldPath(), maxLength);
  if (minLength !== undefined && minLength > 0 && !isLonger(value, minLength - 1))
    return bound(value, `should be at least ${minLength} chars long`, walk);
  if (pattern && !pattern.matches(value)) return bound(value, `should match '${pattern.source}'`, walk);
  return undefined;
}

function bound(value: string, what: string, walk: Walk): FieldError {
  return invalid(walk.fieldPath(), value, `${walk.path} in body ${what}`);
}

/** Whether a text has more characters than that. Counted only where its length does not tell. */
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
