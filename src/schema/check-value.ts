import { checkAlternatives } from "./check-alternatives.ts";
import { checkList } from "./check-list.ts";
import { checkNumber } from "./check-number.ts";
import { checkObject } from "./check-object.ts";
import { checkString } from "./check-string.ts";
import { checkNullType, checkType } from "./check-type.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { equal } from "./equal.ts";
import { notSupported } from "./field-error.ts";
import { goJson } from "./go-text.ts";
import { isArray, isObject, typeOf } from "./json-value.ts";
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
  const allowed = schema.enum ?? [];
  if (allowed.length === 0 || allowed.some((one) => isAllowed(value, one))) return;
  walk.report(notSupported(walk.fieldPath(), value, allowed.map(printed)));
}

/** Nothing allows `null`, and a number is cut to an integer where an integer is allowed: so it is in Kubernetes. */
function isAllowed(value: unknown, allowed: unknown): boolean {
  if (value === null || allowed === null) return false;
  if (typeof value === "number" && typeOf(allowed) === "integer") return equal(Math.trunc(value), allowed);
  return equal(value, allowed);
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : goJson(value);
}
