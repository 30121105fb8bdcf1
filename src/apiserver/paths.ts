/** What is at a path of keys, or nothing where the way ends before. */
export function fieldAt(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, field)) return undefined;
  return fieldAt(Reflect.get(value, field), rest);
}

/** A copy with another value at a path, made on the way where it is not there; `undefined` removes it. */
export function withField<T extends object>(
  object: T,
  [field = "", ...rest]: readonly string[],
  value: unknown,
): T {
  const inner = fieldAt(object, [field]);
  const next = rest.length === 0 ? value : withField(isObject(inner) ? inner : {}, rest, value);
  const { [field]: _, ...others } = object as Record<string, unknown>;
  // The same fields as before, but for the one that was asked for.
  return (next === undefined ? others : { ...object, [field]: next }) as T;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
