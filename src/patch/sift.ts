import { isArray, isObject, type JsonObject, setField } from "../schema/index.ts";

/** Whether something stays: the value of a field, or an element of a list. */
export type Keeps = (value: unknown, holder: "object" | "list") => boolean;

/** A copy without all that is not kept, at any depth. The value itself stays. No nesting is too deep for it. */
export function sift(value: unknown, keeps: Keeps): unknown {
  const pending: Pending[] = [];
  const copy = begin(value, pending);
  for (let next = pending.pop(); next; next = pending.pop()) fill(next, keeps, pending);
  return copy;
}

/** A copy without fields that are null. Elements of lists may be. */
export function withoutNulls(value: unknown): unknown {
  return sift(value, isNoNullField);
}

/** Whether it is anything else than a field that is null. */
export const isNoNullField: Keeps = (value, holder) => value !== null || holder === "list";

/** A container, and its copy that is still empty. */
type Pending =
  | { readonly type: "object"; readonly source: JsonObject; readonly copy: Record<string, unknown> }
  | { readonly type: "list"; readonly source: readonly unknown[]; readonly copy: unknown[] };

/** What stands in the copy for a value: itself, or a container that is filled later. */
function begin(value: unknown, pending: Pending[]): unknown {
  if (!isArray(value) && !isObject(value)) return value;
  const next: Pending = isArray(value)
    ? { type: "list", source: value, copy: [] }
    : { type: "object", source: value, copy: {} };
  pending.push(next);
  return next.copy;
}

function fill(next: Pending, keeps: Keeps, pending: Pending[]): void {
  if (next.type === "list") {
    for (const element of next.source) if (keeps(element, "list")) next.copy.push(begin(element, pending));
    return;
  }
  for (const key of Object.keys(next.source)) {
    const value = next.source[key];
    if (keeps(value, "object")) setField(next.copy, key, begin(value, pending));
  }
}
