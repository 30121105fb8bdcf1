import { isArray, isObject } from "../../schema/index.ts";
import { compareText } from "./go-json.ts";

/** Returns the JSON type of a value as Go's decoder names it: "cannot unmarshal number into ...". */
export function jsonTypeName(value: unknown): string {
  if (isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
}

/** Returns the Go type of a value decoded from JSON. */
export function goTypeName(value: unknown): string {
  if (isArray(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return value === null ? "%!s(<nil>)" : numberType(value);
}

function numberType(value: unknown): string {
  return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
}

/** Formats a value like Go's `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  return printed(value, scalarText);
}

/** Formats a value like Go's `%s`: `%!s(int64=5)`. */
export function goString(value: unknown): string {
  return value === null ? goTypeName(value) : printed(value, scalarString);
}

function scalarString(scalar: unknown): string {
  const text = scalarText(scalar);
  return scalar === null || typeof scalar === "string" ? text : `%!s(${goTypeName(scalar)}=${text})`;
}

function scalarText(value: unknown): string {
  if (value === null) return "<nil>";
  return numberType(value) === "float64" && typeof value === "number" ? floatText(value) : String(value);
}

/** Formats a float: with an exponent of at least two digits from a million on and below 0.0001. */
function floatText(value: number): string {
  const [digits, exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power <= 5) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Formats without recursion, so any depth is safe. `pending` is in reverse order. */
function printed(value: unknown, scalar: (value: unknown) => string): string {
  const texts: string[] = [];
  const pending: Array<Text | Value> = [{ value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ("text" in next) texts.push(next.text);
    else if (!isArray(next.value) && !isObject(next.value)) texts.push(scalar(next.value));
    else for (const inner of partsOf(next.value).reverse()) pending.push(inner);
  }
  return texts.join("");
}

interface Text {
  readonly text: string;
}

interface Value {
  readonly value: unknown;
}

function partsOf(container: object): Array<Text | Value> {
  if (isArray(container)) {
    const elements = container.flatMap((value) => [{ text: " " }, { value }]);
    return [{ text: "[" }, ...elements.slice(1), { text: "]" }];
  }
  const keys = Object.entries(container).sort(([one], [other]) => compareText(one, other));
  const fields = keys.flatMap(([key, value]) => [{ text: " " }, { text: `${key}:` }, { value }]);
  return [{ text: "map[" }, ...fields.slice(1), { text: "]" }];
}
