import type { KubeObject } from "../api/index.ts";
import type { ObjectReference } from "../api/types/core/v1.ts";

export type EventType = "Normal" | "Warning";

/** One occurrence of an event, as every sink receives it. */
export interface RecordedEvent {
  readonly type: EventType;
  /** Machine-readable reason, in one word: `ScaledUp`. */
  readonly reason: string;
  /** Human-readable description. */
  readonly note: string;
  /** Action that was taken, in one word. */
  readonly action: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The reporting component: the controller's name. */
  readonly component: string;
  /** The reporting instance of the component. */
  readonly instance: string;
  /** Time of the event by the wall clock. */
  readonly atMs: number;
}

/**
 * Returns the reference to an object for an event.
 *
 * @throws if the object has no kind, apiVersion or name
 */
export function referenceTo(object: KubeObject, fieldPath?: string): ObjectReference {
  const { apiVersion, kind, metadata } = object;
  if (!kind || !apiVersion || !metadata?.name) {
    throw new Error(`expected an object with apiVersion, kind and name, got ${JSON.stringify(object)}`);
  }
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath };
}

/** Returns the same key for all events of one type about one object from one instance. */
export function sourceKey({ component, instance, regarding, type }: RecordedEvent): string {
  const { kind, namespace, name, uid, apiVersion } = regarding;
  return JSON.stringify([component, instance, kind, namespace, name, uid, apiVersion, type]);
}

/** Returns the same key for events that differ only in their note, action, related object or field path. */
export function similarKey(event: RecordedEvent): string {
  return `${sourceKey(event)} ${event.reason}`;
}

/** Returns the same key for repetitions of the same event. */
export function sameKey(event: RecordedEvent): string {
  const { related, regarding, action, note } = event;
  return `${similarKey(event)} ${JSON.stringify([regarding.fieldPath, related, action, note])}`;
}
