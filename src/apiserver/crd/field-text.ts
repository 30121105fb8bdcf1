import { fieldAt } from "../types/paths.ts";

/** Splits a simple JSONPath into fields: `.spec.size` is `["spec", "size"]`. */
export function simplePath(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

/** Returns a scalar in the form that field selectors compare. A missing value is the empty string. */
export function fieldText(value: unknown, path: readonly string[]): string {
  const found = fieldAt(value, path);
  return found === undefined || found === null || typeof found === "object" ? "" : String(found);
}
