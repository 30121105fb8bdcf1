import { isArray, isObject } from "../../schema/index.ts";
import { compareText } from "./go-json.ts";

/** Maximum depth of a printed value. */
const maxPrintedDepth = 20;

/** Formats a value like Go's `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: unknown, depth = 0): string {
  if (depth > maxPrintedDepth) return "...";
  if (isArray(value)) return `[${value.map((element) => goValue(element, depth + 1)).join(" ")}]`;
  if (!isObject(value)) return value === null ? "<nil>" : String(value);
  const keys = Object.keys(value).sort(compareText);
  return `map[${keys.map((key) => `${key}:${goValue(value[key], depth + 1)}`).join(" ")}]`;
}

/** Formats a value like Go's `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown, depth = 0): string {
  if (depth > maxPrintedDepth) return "...";
  if (typeof value === "string") return JSON.stringify(value);
  if (isArray(value)) return `${goType(value)}{${value.map((each) => goSyntax(each, depth + 1)).join(", ")}}`;
  if (!isObject(value)) return value === null ? "interface {}(nil)" : String(value);
  const keys = Object.keys(value).sort(compareText);
  const fields = keys.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key], depth + 1)}`);
  return `${goType(value)}{${fields.join(", ")}}`;
}

/** Returns the Go type of a value decoded from JSON. */
export function goType(value: unknown): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
