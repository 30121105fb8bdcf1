import type { CompiledSchema } from "./compiled-schema.ts";
import { invalid } from "./field-error.ts";
import { goFloat } from "./go-text.ts";
import { isNextToInteger, typeOf } from "./json-value.ts";
import type { Walk } from "./walk.ts";

/**
 * Reports a number that does not fit its type or breaks a bound. Counts two.
 *
 * A bound is compared as what the value is: beside an integer the fraction of a bound is cut off, and a bound
 * beyond an int64 becomes the lowest one. That is odd and not ours to change: kube-apiserver does it.
 */
export function checkNumber(schema: CompiledSchema, value: number | bigint, walk: Walk): number {
  checkFit(schema, { what: "Checked", number: value }, walk);
  const { multipleOf, minimum, maximum } = schema.schema;
  if (multipleOf !== undefined) checkFactor(schema, { value, bound: multipleOf }, walk);
  if (minimum !== undefined) checkMinimum(schema, { value, bound: minimum }, walk);
  if (maximum !== undefined) checkMaximum(schema, { value, bound: maximum }, walk);
  return 2;
}

interface Fit {
  /** What the number is, as the message begins. */
  readonly what: string;
  readonly number: number | bigint;
}

function checkFit(schema: CompiledSchema, { what, number }: Fit, walk: Walk): boolean {
  const [type = "", second] = schema.types;
  if (second !== undefined || fits(type, schema.format, number)) return true;
  const format = schema.format === "" ? "(default format)" : `with format ${schema.format}`;
  walk.reportLoose(`${what} value must be of type ${type} ${format} in ${walk.path}`);
  return false;
}

function fits(type: string, format: string, number: number | bigint): boolean {
  if (type === "number") return format !== "float" || Number.isFinite(Math.fround(Number(number)));
  if (type !== "integer") return true;
  if (typeOf(number) !== "integer") return false;
  return format !== "int32" || (number >= -(2 ** 31) && number < 2 ** 31);
}

interface Bounded {
  readonly value: number | bigint;
  readonly bound: number;
}

/** A value and a bound as they are compared, and the bound as it is printed. */
interface Comparison {
  readonly value: number | bigint;
  readonly bound: number | bigint;
  readonly text: string;
}

/** Compares as integers if the value is one and the bound fits the schema's type; else as numbers. */
function comparison({ value, bound }: Bounded, fitting: boolean): Comparison {
  if (!fitting || typeOf(value) !== "integer") return { value: Number(value), bound, text: goFloat(bound) };
  const whole = toInt64(bound);
  return { value: BigInt(value), bound: whole, text: String(whole) };
}

/** A number as Go makes it an int64: without its fraction, and as the lowest one if it does not fit. */
function toInt64(number: number): bigint {
  const whole = Math.trunc(number);
  return typeOf(whole) === "integer" ? BigInt(whole) : -(2n ** 63n);
}

function checkMinimum(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { what: "Minimum boundary", number: bounded.bound }, walk);
  const { value, bound, text } = comparison(bounded, fitting);
  const exclusive = schema.schema.exclusiveMinimum ?? false;
  if (exclusive ? value > bound : value >= bound) return;
  walk.reportBound(bounded.value, `should be greater than ${exclusive ? "" : "or equal to "}${text}`);
}

function checkMaximum(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { what: "Maximum boundary", number: bounded.bound }, walk);
  const { value, bound, text } = comparison(bounded, fitting);
  const exclusive = schema.schema.exclusiveMaximum ?? false;
  if (exclusive ? value < bound : value <= bound) return;
  walk.reportBound(bounded.value, `should be less than ${exclusive ? "" : "or equal to "}${text}`);
}

function checkFactor(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { what: "MultipleOf", number: bounded.bound }, walk);
  const { value, bound, text } = comparison(bounded, fitting);
  if (bound <= 0) {
    const detail = `factor MultipleOf declared for ${walk.path} must be positive: ${text}`;
    walk.report(invalid(walk.fieldPath(), bound, detail));
  } else if (!isMultiple(value, bound)) {
    walk.reportBound(bounded.value, `should be a multiple of ${text}`);
  }
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof value === "bigint" && typeof factor === "bigint") return value % factor === 0n;
  const divisor = Number(factor);
  return isNextToInteger(divisor < 1 ? (1 / divisor) * Number(value) : Number(value) / divisor);
}
