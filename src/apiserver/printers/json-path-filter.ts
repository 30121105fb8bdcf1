import { type JsonPath, unescaped } from "./json-path-steps.ts";

/**
 * Returns a step that selects the elements of a list by a condition. Returns `undefined` if the text is not a
 * condition.
 */
export function filterStep(
  text: string,
  parsePath: (text: string) => JsonPath | undefined,
): JsonPath | undefined {
  const [, left = "", operator, right = ""] = /^([^!<>=]+)(?:(==|!=|<=|>=|<|>)(.+))?$/s.exec(text) ?? [];
  const leftOperand = operandOf(left.trim(), parsePath);
  const rightOperand = operator === undefined ? noOperand : operandOf(right.trim(), parsePath);
  if (!leftOperand || !rightOperand) return undefined;
  const isMatch = operator === undefined ? exists : comparisons[operator];
  return (value) => {
    if (!Array.isArray(value)) return [];
    return value.filter((element) => isMatch?.(leftOperand(element), rightOperand(element)));
  };
}

/** A value and the type by which Go compares it. */
interface Operand {
  readonly type: string;
  readonly value: unknown;
}

/** Returns the operand for an element, or `undefined` if a path finds no value. */
type OperandReader = (element: unknown) => Operand | undefined;

const noOperand: OperandReader = () => undefined;

function operandOf(
  text: string,
  parsePath: (text: string) => JsonPath | undefined,
): OperandReader | undefined {
  if (text.startsWith("@")) return pathOperand(parsePath(text.slice(1)));
  const [quote = ""] = /^(["']).*\1$/s.exec(text)?.slice(1) ?? [];
  if (quote !== "") return literal("string", unescaped(text.slice(1, -1)));
  if (/^-?\d+$/.test(text)) return literal("integer", Number(text));
  if (/^-?\d+\.\d*$/.test(text)) return literal("number", Number(text));
  if (text === "true" || text === "false") return literal("boolean", text === "true");
  // A bare word is valid, but equals nothing.
  return /^\w+$/.test(text) ? noOperand : undefined;
}

function pathOperand(path: JsonPath | undefined): OperandReader | undefined {
  if (!path) return undefined;
  return (element) => {
    const found = path(element);
    return found.length === 0 ? undefined : { type: typeOf(found[0]), value: found[0] };
  };
}

function literal(type: string, value: unknown): OperandReader {
  const operand = { type, value };
  return () => operand;
}

function typeOf(value: unknown): string {
  if (typeof value === "bigint") return "integer";
  return Number.isInteger(value) ? "integer" : typeof value;
}

type Comparison = (left: Operand | undefined, right: Operand | undefined) => boolean;

const exists: Comparison = (left) => left !== undefined;

/** Comparisons by operator. Values of different types are never equal and have no order. */
const comparisons: Readonly<Record<string, Comparison>> = {
  "==": (left, right) => comparable(left, right) && compare(left, right) === 0,
  "!=": (left, right) => comparable(left, right) && compare(left, right) !== 0,
  "<": (left, right) => comparable(left, right) && compare(left, right) < 0,
  "<=": (left, right) => comparable(left, right) && compare(left, right) <= 0,
  ">": (left, right) => comparable(left, right) && compare(left, right) > 0,
  ">=": (left, right) => comparable(left, right) && compare(left, right) >= 0,
};

function comparable(left: Operand | undefined, right: Operand | undefined): boolean {
  return left !== undefined && left.type === right?.type && left.type !== "object";
}

/** Compares two values of the same type. A `bigint` and a `number` are comparable. */
function compare(left: Operand | undefined, right: Operand | undefined): number {
  const [one, other] = [left?.value as string, right?.value as string];
  return one < other ? -1 : one > other ? 1 : 0;
}
