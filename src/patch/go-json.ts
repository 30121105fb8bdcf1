import { isArray, isObject, type JsonObject } from "../schema/index.ts";
import { requireDepth } from "./typed-error.ts";

/**
 * A value as the server writes it into the keys of `fieldsV1`: keys in order, exponents of two digits, and what could
 * end an HTML script escaped. Equal values have equal texts.
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

/** In the order of the UTF-8 bytes, as Go has it. JavaScript's own order puts U+E000 behind an emoji. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const left = one.charCodeAt(index);
    const right = other.charCodeAt(index);
    if (left !== right) return inUtf8(left) - inUtf8(right);
  }
  return one.length - other.length;
}

/** UTF-16 units in the order of what they encode: surrogates stand for what comes after all others. */
function inUtf8(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
