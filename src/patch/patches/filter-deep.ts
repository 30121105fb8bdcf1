import { isArray, isObject, type JsonObject, setField } from "../../schema/index.ts";

/** Returns true for a value of a field or an element of a list that stays. */
export type KeepPredicate = (value: unknown, holder: "object" | "list") => boolean;

/**
 * Returns a deep copy with the values that `keeps` accepts. The root always stays. Does not recurse, so any depth is
 * safe.
 */
export function filterDeep(value: unknown, keeps: KeepPredicate): unknown {
  const pending: Pending[] = [];
  const copy = startCopy(value, pending);
  for (let next = pending.pop(); next; next = pending.pop()) fill(next, keeps, pending);
  return copy;
}

/** Returns a copy without null fields. Null elements of lists stay. */
export function withoutNulls(value: unknown): unknown {
  return filterDeep(value, isNotNullField);
}

/** Returns true for everything but a null field. */
export const isNotNullField: KeepPredicate = (value, holder) => value !== null || holder === "list";

/** A container, and its copy, which is still empty. */
type Pending =
  | { readonly type: "object"; readonly source: JsonObject; readonly copy: Record<string, unknown> }
  | { readonly type: "list"; readonly source: readonly unknown[]; readonly copy: unknown[] };

/** Returns the copy of a value: itself, or a container that is filled later. */
function startCopy(value: unknown, pending: Pending[]): unknown {
  if (!isArray(value) && !isObject(value)) return value;
  const next: Pending = isArray(value)
    ? { type: "list", source: value, copy: [] }
    : { type: "object", source: value, copy: {} };
  pending.push(next);
  return next.copy;
}

function fill(next: Pending, keeps: KeepPredicate, pending: Pending[]): void {
  if (next.type === "list") {
    for (const element of next.source)
      if (keeps(element, "list")) next.copy.push(startCopy(element, pending));
    return;
  }
  for (const key of Object.keys(next.source)) {
    const value = next.source[key];
    if (keeps(value, "object")) setField(next.copy, key, startCopy(value, pending));
  }
}
