import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { type FieldError, notSupported } from "../values/field-error.ts";
import { goJson } from "../values/go-text.ts";
import { isArray, isObject } from "../values/json-value.ts";
import { checkAlternatives } from "./check-alternatives.ts";
import { checkList } from "./check-list.ts";
import { checkNumber } from "./check-number.ts";
import { checkObject } from "./check-object.ts";
import { checkString } from "./check-string.ts";
import { checkNullType, checkType } from "./check-type.ts";

/**
 * Reports where a value violates a schema, and returns its match count.
 *
 * The match count has one purpose: if all alternatives of `anyOf` or `oneOf` fail, the errors of the alternative with
 * the highest count are reported. It therefore equals kube-apiserver's count: two for every value, plus the counts of
 * its parts.
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
  walk.report({ ...allowed.error, field: walk.fieldPath(), value });
}

/** The values of an `enum`, prepared once, because an enum and the values to check may both be long. */
interface AllowedValues {
  /** One key per allowed value, see `keyOf`. */
  readonly keys: ReadonlySet<string>;
  /** The error for any other value. It names all allowed values. */
  readonly error: FieldError;
}

function allowedValues(values: readonly unknown[]): AllowedValues {
  const cached = allowedByEnum.get(values);
  if (cached) return cached;
  const keys = new Set(values.filter((value) => value !== null).map(keyOf));
  const created = { keys, error: notSupported("", undefined, values.map(printed)) };
  allowedByEnum.set(values, created);
  return created;
}

const allowedByEnum = new WeakMap<readonly unknown[], AllowedValues>();

/**
 * Returns true if an `enum` allows the value. As in Kubernetes, `null` is never allowed, and a number is truncated if
 * the enum has an integer.
 */
function isAllowed(value: unknown, { keys }: AllowedValues): boolean {
  if (value === null) return false;
  return keys.has(keyOf(value)) || (typeof value === "number" && keys.has(keyOf(Math.trunc(value))));
}

/** Returns a key that two values share only if they are equal. */
function keyOf(value: unknown): string {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "number" && Number.isInteger(value) ? String(BigInt(value)) : goJson(value);
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : goJson(value);
}
