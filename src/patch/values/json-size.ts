import { goJsonString, isArray, isObject } from "../../schema/index.ts";

/** Returns the size in bytes of a value as kube-apiserver encodes it. Stops soon after `limit`. */
export function jsonSize(value: unknown, limit: number): number {
  const pending = [value];
  let bytes = 0;
  while (pending.length > 0 && bytes <= limit) {
    const next = pending.pop();
    bytes += ownSize(next);
    if (isArray(next) || isObject(next)) for (const inner of Object.values(next)) pending.push(inner);
  }
  return bytes;
}

/** Returns the size of a scalar, or of a container without its values: brackets, commas, keys and colons. */
function ownSize(value: unknown): number {
  if (isArray(value)) return 2 + Math.max(0, value.length - 1);
  if (!isObject(value)) return scalarSize(value);
  const keys = Object.keys(value);
  return keys.reduce((bytes, key) => bytes + stringSize(key) + 1, 2 + Math.max(0, keys.length - 1));
}

function scalarSize(value: unknown): number {
  return typeof value === "string" ? stringSize(value) : String(value).length;
}

function stringSize(text: string): number {
  return Buffer.byteLength(goJsonString(text));
}
