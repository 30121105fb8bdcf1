/**
 * An answer in which what differs from run to run stands as `<uid>`, `<version>` and `<time>`, everywhere in it.
 * It is without managedFields: `managersOf` has them, for the scenarios that are about ownership.
 */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === "string") return time.test(value) ? "<time>" : value;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "managedFields");
  return Object.fromEntries(fields.map(([name, field]) => [name, masks[name] ?? masked(field)]));
}

/** The managedFields of an object, masked. */
export function managersOf(object: { readonly metadata: { readonly managedFields?: unknown } }): unknown {
  return masked(object.metadata.managedFields);
}

const masks: Readonly<Record<string, string | undefined>> = { uid: "<uid>", resourceVersion: "<version>" };
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
