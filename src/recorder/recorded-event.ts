import type { KubeObject } from "../api/index.ts";
import type { ObjectReference } from "../api/types/core/v1.ts";

export type EventType = "Normal" | "Warning";

/** One thing that happened, as every sink is told of it. */
export interface RecordedEvent {
  readonly type: EventType;
  /** Why, in one word for programs: `ScaledUp`. */
  readonly reason: string;
  /** What happened, for people. */
  readonly note: string;
  /** What was being done about it, in one word. */
  readonly action: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Who tells it. */
  readonly component: string;
  /** Which of those who are called so. */
  readonly instance: string;
  /** By the wall clock. */
  readonly atMs: number;
}

/**
 * How an event names an object.
 *
 * @throws for one that does not say what it is
 */
export function referenceTo(object: KubeObject, fieldPath?: string): ObjectReference {
  const { apiVersion, kind, metadata } = object;
  if (!kind || !apiVersion || !metadata?.name) {
    throw new Error(`expected an object with apiVersion, kind and name, got ${JSON.stringify(object)}`);
  }
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath };
}

/** The same for every event of one type about one object, from one place. */
export function sourceKey({ component, instance, regarding, type }: RecordedEvent): string {
  const { kind, namespace, name, uid, apiVersion } = regarding;
  return JSON.stringify([component, instance, kind, namespace, name, uid, apiVersion, type]);
}

/** The same for events that differ in their words alone. */
export function similarKey(event: RecordedEvent): string {
  return `${sourceKey(event)} ${event.reason}`;
}

/** The same for events that say the same. */
export function sameKey(event: RecordedEvent): string {
  const { related, regarding, action, note } = event;
  return `${similarKey(event)} ${JSON.stringify([regarding.fieldPath, related, action, note])}`;
}
