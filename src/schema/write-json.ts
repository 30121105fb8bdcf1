import { isArray, isObject } from "./json-value.ts";

/** Writes a value as `JSON.stringify` does, and a `bigint` with all its digits. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Besides, only cycles end here, which no value that was read has.
    if (error instanceof TypeError) return writeSlowly(value);
    throw error;
  }
}

function writeSlowly(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (isArray(value)) return `[${value.map(writeSlowly).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${fields.map((key) => `${JSON.stringify(key)}:${writeSlowly(value[key])}`).join(",")}}`;
}
