import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Walk } from "../structure/walk.ts";
import { invalid } from "../values/field-error.ts";
import { goFloat } from "../values/go-text.ts";
import { isNextToInteger, typeOf } from "../values/json-value.ts";

/**
 * Reports a number that does not fit its type or violates a bound. Returns a match count of two.
 *
 * A bound is converted to the type of the value: for an integer value the fraction of the bound is cut off, and a bound
 * outside int64 becomes the lowest int64. kube-apiserver does the same.
 */
export function checkNumber(schema: CompiledSchema, value: number | bigint, walk: Walk): number {
  checkFit(schema, { subject: "Checked", number: value }, walk);
  const { multipleOf, minimum, maximum } = schema.schema;
  if (multipleOf !== undefined) checkFactor(schema, { value, bound: multipleOf }, walk);
  if (minimum !== undefined) checkMinimum(schema, { value, bound: minimum }, walk);
  if (maximum !== undefined) checkMaximum(schema, { value, bound: maximum }, walk);
  return 2;
}

interface Fit {
  /** The subject of the message, such as `Minimum boundary`. */
  readonly subject: string;
  readonly number: number | bigint;
}

function checkFit(schema: CompiledSchema, { subject, number }: Fit, walk: Walk): boolean {
  const [type = "", second] = schema.types;
  if (second !== undefined || fits(type, schema.format, number)) return true;
  const format = schema.format === "" ? "(default format)" : `with format ${schema.format}`;
  walk.reportWithoutField(`${subject} value must be of type ${type} ${format} in ${walk.path}`);
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

/** A value and a bound in the types in which they are compared, and the bound as it is printed. */
interface Comparison {
  readonly value: number | bigint;
  readonly bound: number | bigint;
  readonly text: string;
}

/** Compares integers if the value is an integer and the bound fits the type of the schema, floats otherwise. */
function comparison({ value, bound }: Bounded, fitting: boolean): Comparison {
  if (!fitting || typeOf(value) !== "integer") return { value: Number(value), bound, text: goFloat(bound) };
  const integer = toInt64(bound);
  return { value: BigInt(value), bound: integer, text: String(integer) };
}

/**
 * Converts a number to an int64 as Go does: cuts off the fraction, and returns the lowest int64 if the number does not
 * fit.
 */
function toInt64(number: number): bigint {
  const integer = Math.trunc(number);
  return typeOf(integer) === "integer" ? BigInt(integer) : -(2n ** 63n);
}

function checkMinimum(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { subject: "Minimum boundary", number: bounded.bound }, walk);
  const { value, bound, text } = comparison(bounded, fitting);
  const exclusive = schema.schema.exclusiveMinimum ?? false;
  if (exclusive ? value > bound : value >= bound) return;
  walk.reportBound(bounded.value, `should be greater than ${exclusive ? "" : "or equal to "}${text}`);
}

function checkMaximum(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { subject: "Maximum boundary", number: bounded.bound }, walk);
  const { value, bound, text } = comparison(bounded, fitting);
  const exclusive = schema.schema.exclusiveMaximum ?? false;
  if (exclusive ? value < bound : value <= bound) return;
  walk.reportBound(bounded.value, `should be less than ${exclusive ? "" : "or equal to "}${text}`);
}

function checkFactor(schema: CompiledSchema, bounded: Bounded, walk: Walk): void {
  const fitting = checkFit(schema, { subject: "MultipleOf", number: bounded.bound }, walk);
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
