/** Returns the value at a path of keys, or `undefined` if a part of the path does not exist. */
export function fieldAt(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, field)) return undefined;
  return fieldAt(Reflect.get(value, field), rest);
}

/** Returns a copy with another value at a path, whose missing parts are created. `undefined` removes the field. */
export function withField<T extends object>(
  object: T,
  [field = "", ...rest]: readonly string[],
  value: unknown,
): T {
  const inner = fieldAt(object, [field]);
  const next = rest.length === 0 ? value : withField(isObject(inner) ? inner : {}, rest, value);
  const { [field]: _, ...others } = object as Record<string, unknown>;
  // Only the requested field differs.
  return (next === undefined ? others : { ...object, [field]: next }) as T;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
