/**
 * Returns the merge patch (RFC 7396) that changes `before` to `after`, or `undefined` if they are equal. A field that
 * is `undefined` or `null` counts as missing. The order of fields does not matter. Lists are replaced completely.
 */
export function mergeDifference(before: object, after: object): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = changeOf(fieldOf(before, field), fieldOf(after, field));
    if (change !== undefined) patch[field] = change;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Returns the patch of one field: `null` if it is removed, `undefined` if it does not change. */
function changeOf(before: unknown, after: unknown): unknown {
  if (isRecord(before) && isRecord(after)) return mergeDifference(before, after);
  return isSame(before, after) ? undefined : (after ?? null);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other || (one ?? other ?? undefined) === undefined) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((element, at) => isSame(element, other[at]));
  }
  return isRecord(one) && isRecord(other) && mergeDifference(one, other) === undefined;
}

function fieldOf(object: object, field: string): unknown {
  return Object.hasOwn(object, field) ? object[field as keyof typeof object] : undefined;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
