import { isArray, isObject } from "./json-value.ts";

/** Encodes a value like `JSON.stringify`, and a `bigint` with all its digits. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // `JSON.stringify` throws a TypeError for a `bigint`, and for cycles, which parsed JSON does not have.
    if (error instanceof TypeError) return writeRecursively(value);
    throw error;
  }
}

function writeRecursively(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (isArray(value)) return `[${value.map(writeRecursively).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${fields.map((key) => `${JSON.stringify(key)}:${writeRecursively(value[key])}`).join(",")}}`;
}
