import { isArray, isObject } from "./json-value.ts";

/** How deep a schema may be nested. Far more than anybody writes, far less than the stack holds. */
export const deepestSchema = 300;

/** A schema that is nested deeper than can be compiled. */
export class SchemaTooDeepError extends Error {
  override readonly name = "SchemaTooDeepError";

  constructor() {
    super(`expected a schema nested at most ${deepestSchema} deep, got a deeper one`);
  }
}

/**
 * Whether a schema is nested too deeply to be walked by functions that call themselves. Everything in it counts,
 * defaults and enums too. Each schema level is two levels of JSON: `properties`, and the name.
 */
export function isTooDeep(schema: unknown): boolean {
  let level: readonly unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepestSchema * 2) return true;
    level = level.flatMap(inside);
  }
  return false;
}

function inside(value: unknown): readonly unknown[] {
  if (isArray(value)) return value.filter(isContainer);
  return isObject(value) ? Object.values(value).filter(isContainer) : [];
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
