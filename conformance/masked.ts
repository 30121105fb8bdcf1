/**
 * Returns a response with values that differ between runs replaced by `<uid>`, `<version>` and `<time>`.
 * It omits managedFields: `managersOf` returns them, for scenarios about ownership.
 */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === "string") return time.test(value) ? "<time>" : value;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "managedFields");
  return Object.fromEntries(fields.map(([name, field]) => [name, masks[name] ?? masked(field)]));
}

/** Returns the managedFields of an object, masked. */
export function managersOf(object: { readonly metadata: { readonly managedFields?: unknown } }): unknown {
  return masked(object.metadata.managedFields);
}

const masks: Readonly<Record<string, string | undefined>> = { uid: "<uid>", resourceVersion: "<version>" };
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
