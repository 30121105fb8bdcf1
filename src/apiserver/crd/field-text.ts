/** Splits a simple JSONPath into fields: `.spec.size` is `["spec", "size"]`. */
export function simplePath(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

/** Returns the value at a path, or `undefined` if a field is missing. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const field of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, field)) return undefined;
    found = Reflect.get(found, field);
  }
  return found;
}

/** Returns a scalar in the form that field selectors compare. A missing value is the empty string. */
export function fieldText(value: unknown, path: readonly string[]): string {
  const found = fieldAt(value, path);
  return found === undefined || found === null || typeof found === "object" ? "" : String(found);
}
