import { isArray, isObject } from "../schema/index.ts";

/** How many bytes a value takes as the server writes JSON. Counting ends soon after `limit`. */
export function jsonSize(value: unknown, limit: number): number {
  const pending = [value];
  let bytes = 0;
  while (pending.length > 0 && bytes <= limit) {
    const next = pending.pop();
    bytes += sizeWithout(next);
    if (isArray(next) || isObject(next)) for (const inner of Object.values(next)) pending.push(inner);
  }
  return bytes;
}

/** A scalar, or what is around the values of a container: brackets, commas, keys and colons. */
function sizeWithout(value: unknown): number {
  if (isArray(value)) return 2 + Math.max(0, value.length - 1);
  if (!isObject(value)) return scalarSize(value);
  const keys = Object.keys(value);
  return keys.reduce((bytes, key) => bytes + stringSize(key) + 1, 2 + Math.max(0, keys.length - 1));
}

function scalarSize(value: unknown): number {
  return typeof value === "string" ? stringSize(value) : String(value).length;
}

function stringSize(text: string): number {
  const escaped = JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, "\\u0000");
  return Buffer.byteLength(escaped);
}
