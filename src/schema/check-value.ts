import { checkAlternatives } from "./check-alternatives.ts";
import { checkList } from "./check-list.ts";
import { checkNumber } from "./check-number.ts";
import { checkObject } from "./check-object.ts";
import { checkString } from "./check-string.ts";
import { checkNullType, checkType } from "./check-type.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { type FieldError, notSupported } from "./field-error.ts";
import { goJson } from "./go-text.ts";
import { isArray, isObject } from "./json-value.ts";
import type { Walk } from "./walk.ts";

/**
 * Reports where a value does not keep to a schema, and returns how much of it was looked at and found to match.
 *
 * The number has no meaning of its own. Of the alternatives of `anyOf` and `oneOf` that all fail, the one with the
 * highest number has its errors told, so it counts what kube-apiserver counts: here two for every value, and in
 * each of the parts what that part counts.
 */
export function checkValue(schema: CompiledSchema, value: unknown, walk: Walk): number {
  if (value === null || value === undefined) return checkNull(schema, walk);
  let matches = 2 + checkType(schema, value, walk) + checkAlternatives(schema, value, walk);
  if (typeof value === "string") matches += checkString(schema, value, walk);
  if (typeof value === "number" || typeof value === "bigint") matches += checkNumber(schema, value, walk);
  if (isArray(value)) matches += checkList(schema, value, walk);
  checkEnum(schema, value, walk);
  if (isObject(value)) matches += checkObject(schema, value, walk);
  return matches;
}

function checkNull(schema: CompiledSchema, walk: Walk): number {
  const matches = checkNullType(schema, walk);
  checkEnum(schema, null, walk);
  return matches;
}

function checkEnum({ schema }: CompiledSchema, value: unknown, walk: Walk): void {
  if (schema.enum === undefined || schema.enum.length === 0) return;
  const allowed = allowedValues(schema.enum);
  if (isAllowed(value, allowed)) return;
  walk.report({ ...allowed.refusal, field: walk.fieldPath(), value });
}

/** The values of an `enum`, prepared once: an enum and the values to check may both be long. */
interface AllowedValues {
  /** A text for each value. */
  readonly keys: ReadonlySet<string>;
  /** The error about any other value. It names all allowed values. */
  readonly refusal: FieldError;
}

function allowedValues(values: readonly unknown[]): AllowedValues {
  const known = allowedByEnum.get(values);
  if (known) return known;
  const keys = new Set(values.filter((value) => value !== null).map(keyOf));
  const made = { keys, refusal: notSupported("", undefined, values.map(printed)) };
  allowedByEnum.set(values, made);
  return made;
}

const allowedByEnum = new WeakMap<readonly unknown[], AllowedValues>();

/** Nothing allows `null`, and a number is cut to an integer where an integer is allowed: so it is in Kubernetes. */
function isAllowed(value: unknown, { keys }: AllowedValues): boolean {
  if (value === null) return false;
  return keys.has(keyOf(value)) || (typeof value === "number" && keys.has(keyOf(Math.trunc(value))));
}

/** Equal for equal values, and for no others. */
function keyOf(value: unknown): string {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "number" && Number.isInteger(value) ? String(BigInt(value)) : goJson(value);
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : goJson(value);
}
