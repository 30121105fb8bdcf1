import type { KubeObject } from "../api/index.ts";

/** Why a key was queued. */
export interface Reason {
  /** Of the object whose event it was: "Deployment". Empty where it was none. */
  readonly kind: string;
  /** Of that object. */
  readonly key: string;
  readonly event: ReasonEvent;
  /** Paths of the fields that changed: "spec.replicas", "metadata.labels.app". At most ten. */
  readonly changed: readonly string[];
  /** The event is this controller's own write coming back. */
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
  | "retry";

/** For people: `updated Deployment default/web: spec.replicas (own write)`. */
export function reasonText({ kind, key, event, changed, echo }: Reason): string {
  const what = kind === "" ? event : `${event} ${kind} ${key}`;
  return `${what}${changed.length > 0 ? `: ${changed.join(", ")}` : ""}${echo ? " (own write)" : ""}`;
}

/** No more paths are named: who changed so much has changed everything. */
const most = 10;

/**
 * The paths of fields that differ. What every write changes (`resourceVersion`, `managedFields`) is not named; of lists
 * only that they differ.
 */
export function changedPaths(before: KubeObject, after: KubeObject): string[] {
  return [...differences(before, after, "")].slice(0, most);
}

function* differences(before: object, after: object, path: string): Generator<string, void, void> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const here = path === "" ? key : `${path}.${key}`;
    if (unspoken.has(here)) continue;
    const old: unknown = before[key as keyof typeof before];
    const now: unknown = after[key as keyof typeof after];
    if (isRecord(old) && isRecord(now)) yield* differences(old, now, here);
    else if (!same(old, now)) yield here;
  }
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const unspoken: ReadonlySet<string> = new Set(["metadata.resourceVersion", "metadata.managedFields"]);

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
