import { type JsonPath, unescaped } from "./json-path-steps.ts";

/** Chooses the elements of a list for which the condition holds. Nothing for text that is no condition. */
export function filterStep(
  text: string,
  parsePath: (text: string) => JsonPath | undefined,
): JsonPath | undefined {
  const [, left = "", operator, right = ""] = /^([^!<>=]+)(?:(==|!=|<=|>=|<|>)(.+))?$/s.exec(text) ?? [];
  const first = operandOf(left.trim(), parsePath);
  const second = operator === undefined ? anything : operandOf(right.trim(), parsePath);
  if (!first || !second) return undefined;
  const holds = operator === undefined ? exists : comparisons[operator];
  return (value) => {
    if (!Array.isArray(value)) return [];
    return value.filter((element) => holds?.(first(element), second(element)));
  };
}

/** A value with the type Go compares it by. */
interface Operand {
  readonly type: string;
  readonly value: unknown;
}

/** Gives no operand where a path finds nothing. */
type Reader = (element: unknown) => Operand | undefined;

const anything: Reader = () => undefined;

function operandOf(text: string, parsePath: (text: string) => JsonPath | undefined): Reader | undefined {
  if (text.startsWith("@")) return pathOperand(parsePath(text.slice(1)));
  const [quote = ""] = /^(["']).*\1$/s.exec(text)?.slice(1) ?? [];
  if (quote !== "") return literal("string", unescaped(text.slice(1, -1)));
  if (/^-?\d+$/.test(text)) return literal("integer", Number(text));
  if (/^-?\d+\.\d*$/.test(text)) return literal("number", Number(text));
  if (text === "true" || text === "false") return literal("boolean", text === "true");
  // A bare word is no mistake, and equals nothing.
  return /^\w+$/.test(text) ? anything : undefined;
}

function pathOperand(path: JsonPath | undefined): Reader | undefined {
  if (!path) return undefined;
  return (element) => {
    const found = path(element);
    return found.length === 0 ? undefined : { type: typeOf(found[0]), value: found[0] };
  };
}

function literal(type: string, value: unknown): Reader {
  const operand = { type, value };
  return () => operand;
}

function typeOf(value: unknown): string {
  if (typeof value === "bigint") return "integer";
  return Number.isInteger(value) ? "integer" : typeof value;
}

type Holds = (left: Operand | undefined, right: Operand | undefined) => boolean;

const exists: Holds = (left) => left !== undefined;

/** Values of different types are never equal, and never in order. */
const comparisons: Readonly<Record<string, Holds>> = {
  "==": (left, right) => comparable(left, right) && order(left, right) === 0,
  "!=": (left, right) => comparable(left, right) && order(left, right) !== 0,
  "<": (left, right) => comparable(left, right) && order(left, right) < 0,
  "<=": (left, right) => comparable(left, right) && order(left, right) <= 0,
  ">": (left, right) => comparable(left, right) && order(left, right) > 0,
  ">=": (left, right) => comparable(left, right) && order(left, right) >= 0,
};

function comparable(left: Operand | undefined, right: Operand | undefined): boolean {
  return left !== undefined && left.type === right?.type && left.type !== "object";
}

/** Of two values of one type. Numbers may be a `bigint` and a `number`, which compare. */
function order(left: Operand | undefined, right: Operand | undefined): number {
  const [one, other] = [left?.value as string, right?.value as string];
  return one < other ? -1 : one > other ? 1 : 0;
}
