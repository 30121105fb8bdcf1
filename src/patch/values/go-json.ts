import { isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { requireDepth } from "./typed-error.ts";

/**
 * Encodes a value like kube-apiserver in the keys of `fieldsV1`: sorted keys, exponents of two digits, and escaped HTML
 * characters. Equal values have equal encodings.
 */
export function goJson(value: unknown, depth = 0): string {
  requireDepth(depth);
  if (typeof value === "string") return goString(value);
  if (typeof value === "number") return JSON.stringify(value).replace(/(e[-+])(\d)$/, "$10$2");
  if (isArray(value)) return `[${value.map((element) => goJson(element, depth + 1)).join(",")}]`;
  return isObject(value) ? goObject(value, depth + 1) : String(value ?? null);
}

function goObject(object: JsonObject, depth: number): string {
  const keys = Object.keys(object).sort(compareText);
  return `{${keys.map((key) => `${goString(key)}:${goJson(object[key], depth)}`).join(",")}}`;
}

function goString(text: string): string {
  const json = JSON.stringify(text);
  return /[<>&\u2028\u2029]/.test(json) ? json.replace(/[<>&\u2028\u2029]/g, escaped) : json;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Compares by UTF-8 bytes, as Go does. JavaScript's order puts U+E000 after an emoji. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const left = one.charCodeAt(index);
    const right = other.charCodeAt(index);
    if (left !== right) return utf8Rank(left) - utf8Rank(right);
  }
  return one.length - other.length;
}

/** Returns a rank of a UTF-16 unit by code point order: surrogates encode the code points after all others. */
function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
