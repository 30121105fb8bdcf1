import { isDeepStrictEqual } from "node:util";

/**
 * Returns the merge patch that turns the status `before` into `after`, or `undefined` if they are equal. Fields that
 * `after` does not have are removed.
 */
export function statusPatch(before: object | undefined, after: object): { status: object } | undefined {
  const previous = new Map(Object.entries(before ?? {}));
  const changed = new Map<string, unknown>();
  for (const [field, value] of Object.entries(after)) {
    if (value !== undefined && !isDeepStrictEqual(plain(value), plain(previous.get(field))))
      changed.set(field, value);
    if (value !== undefined) previous.delete(field);
  }
  for (const field of previous.keys()) changed.set(field, null);
  return changed.size > 0 ? { status: Object.fromEntries(changed) } : undefined;
}

/** Returns the value without fields that are `undefined`, which JSON does not have. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
