import { isArray, isObject } from "../values/json-value.ts";

/** Maximum nesting depth of a schema: far above real schemas, far below the stack limit. */
export const maxSchemaDepth = 300;

/** Thrown for a schema that is nested too deeply to be compiled. */
export class SchemaTooDeepError extends Error {
  override readonly name = "SchemaTooDeepError";

  constructor() {
    super(`expected a schema nested at most ${maxSchemaDepth} deep, got a deeper one`);
  }
}

/**
 * Returns true if a schema is nested too deeply for recursive functions. All content counts, including defaults and
 * enums. Each schema level is two JSON levels: `properties` and the name.
 */
export function isTooDeep(schema: unknown): boolean {
  let level: readonly unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxSchemaDepth * 2) return true;
    level = level.flatMap(childContainers);
  }
  return false;
}

function childContainers(value: unknown): readonly unknown[] {
  if (isArray(value)) return value.filter(isContainer);
  return isObject(value) ? Object.values(value).filter(isContainer) : [];
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
