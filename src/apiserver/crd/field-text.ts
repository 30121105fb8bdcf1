/** The fields of a simple path: `.spec.size` is `["spec", "size"]`. */
export function simplePath(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

/** The value at a path, if there is one. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const field of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, field)) return undefined;
    found = Reflect.get(found, field);
  }
  return found;
}

/** A scalar as field selectors compare it. What is not there is empty. */
export function fieldText(value: unknown, path: readonly string[]): string {
  const found = fieldAt(value, path);
  return found === undefined || found === null || typeof found === "object" ? "" : String(found);
}
