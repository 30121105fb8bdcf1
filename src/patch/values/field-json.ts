import { compareBytes, goJsonString, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { requireDepth } from "./typed-error.ts";

/**
 * Encodes a value like the keys of `fieldsV1`: with sorted keys and escaped HTML characters. Equal values have equal
 * encodings. Unlike in `goJson`, exponents have at least two digits, because kube-apiserver writes these keys with
 * another library than objects.
 */
export function fieldJson(value: unknown, depth = 0): string {
  requireDepth(depth);
  if (typeof value === "string") return goJsonString(value);
  if (typeof value === "number") return JSON.stringify(value).replace(/(e[-+])(\d)$/, "$10$2");
  if (isArray(value)) return `[${value.map((element) => fieldJson(element, depth + 1)).join(",")}]`;
  return isObject(value) ? objectJson(value, depth + 1) : String(value ?? null);
}

function objectJson(object: JsonObject, depth: number): string {
  const keys = Object.keys(object).sort(compareBytes);
  return `{${keys.map((key) => `${goJsonString(key)}:${fieldJson(object[key], depth)}`).join(",")}}`;
}
