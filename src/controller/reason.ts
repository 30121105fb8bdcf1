import type { KubeObject } from "../api/index.ts";

/** Why a key was queued. */
export interface Reason {
  /** Kind of the event's object: "Deployment". Empty if the reason is not an event. */
  readonly kind: string;
  /** Key of the event's object, or the queued key if the reason is not an event. */
  readonly key: string;
  readonly event: ReasonEvent;
  /** Paths of the fields that changed: "spec.replicas", "metadata.labels.app". At most ten. */
  readonly changed: readonly string[];
  /** True if the event is the echo of this controller's own write. */
  readonly echo: boolean;
}

export type ReasonEvent =
  | "added"
  | "updated"
  | "deleted"
  | "resync"
  | "external"
  | "poll"
  | "requeue"
  | "retry"
  /** The object that `context.until` named has the expected state. */
  | "awaited"
  /** The timeout of `context.until` has passed. */
  | "timeout";

/** Returns a reason that does not come from an event of an object. */
export function reasonOf(event: ReasonEvent, key: string): Reason {
  return { kind: "", key, event, changed: [], echo: false };
}

/** Returns the reason as text: `updated Deployment default/web: spec.replicas (own write)`. */
export function reasonText({ kind, key, event, changed, echo }: Reason): string {
  const what = kind === "" ? event : `${event} ${kind} ${key}`;
  return `${what}${changed.length > 0 ? `: ${changed.join(", ")}` : ""}${echo ? " (own write)" : ""}`;
}

/** Longer lists of paths help no reader. */
const maxPaths = 10;

/**
 * Returns the paths of fields that differ, at most ten. Omits `resourceVersion` and `managedFields`, which every write
 * changes. A list is one field: its items are not compared.
 */
export function changedPaths(before: KubeObject, after: KubeObject): string[] {
  return [...differences(before, after, "")].slice(0, maxPaths);
}

function* differences(before: object, after: object, path: string): Generator<string, void, void> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = path === "" ? key : `${path}.${key}`;
    if (ignored.has(here)) continue;
    const old: unknown = before[key as keyof typeof before];
    const now: unknown = after[key as keyof typeof after];
    if (isRecord(old) && isRecord(now)) yield* differences(old, now, here);
    else if (!isEqual(old, now)) yield here;
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const ignored: ReadonlySet<string> = new Set(["metadata.resourceVersion", "metadata.managedFields"]);

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
