import type { AnyKind, KubeObject, ObjectMeta } from "../api/index.ts";
import { metadataFieldChanged, type ObjectEvent } from "../cache/index.ts";

/** Returns true if an event is a reason to reconcile. Called before a key is queued. Does not filter the cache. */
export type Predicate<T extends KubeObject> = (event: ObjectEvent<T>) => boolean;

/** The predicates of this module, which do not keep a reference to an event. The predicates of a user may keep one. */
const transients = new WeakSet<Predicate<never>>();

/** Returns true if the predicate is known to read events only while it is called. */
export function isTransient(predicate: Predicate<never>): boolean {
  return transients.has(predicate);
}

function transient<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  transients.add(predicate);
  return predicate;
}

/**
 * Accepts adds, deletes, and updates that changed one of these metadata fields. Rejects resyncs, which change nothing.
 */
function changed(...fields: readonly (keyof ObjectMeta)[]): Predicate<KubeObject> {
  return transient((event) => event.type !== "updated" || metadataFieldChanged(event, ...fields));
}

/** Accepts adds, deletes and changes of the generation, which the server increments when the spec changes. */
export const generationChanged: Predicate<KubeObject> = changed("generation");
export const labelsChanged: Predicate<KubeObject> = changed("labels");
export const annotationsChanged: Predicate<KubeObject> = changed("annotations");
export const finalizersChanged: Predicate<KubeObject> = changed("finalizers");
/** Accepts adds, deletes and every change. Rejects resyncs. */
export const resourceVersionChanged: Predicate<KubeObject> = changed("resourceVersion");
/** Accepts adds, deletes and updates that mark the object for deletion. */
export const deletionChanged: Predicate<KubeObject> = changed("deletionTimestamp");

/** Accepts events of objects that have these labels, and the update that removes one of them. */
export function hasLabels(labels: Readonly<Record<string, string>>): Predicate<KubeObject> {
  const has = (metadata: ObjectMeta): boolean =>
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  return transient(
    (event) => has(event.metadata) || (event.type === "updated" && has(event.previousMetadata)),
  );
}

/**
 * Accepts events that all predicates accept. The object type comes from where it is used, such as
 * `owns(Deployment, { when: and(generationChanged, (event) => …) })`; if nothing gives it, from the predicates.
 */
export function and<T extends KubeObject>(...all: ReadonlyArray<Predicate<NoInfer<T>>>): Predicate<T>;
export function and<T extends KubeObject>(...all: readonly Predicate<T>[]): Predicate<T>;
export function and<T extends KubeObject>(...all: readonly Predicate<T>[]): Predicate<T> {
  return combined(all, (event) => all.every((predicate) => predicate(event)));
}

/** Accepts events that any of the predicates accepts. The object type is inferred as for `and`. */
export function or<T extends KubeObject>(...any: ReadonlyArray<Predicate<NoInfer<T>>>): Predicate<T>;
export function or<T extends KubeObject>(...any: readonly Predicate<T>[]): Predicate<T>;
export function or<T extends KubeObject>(...any: readonly Predicate<T>[]): Predicate<T> {
  return combined(any, (event) => any.some((predicate) => predicate(event)));
}

/** Accepts events that the predicate rejects. The object type is inferred as for `and`. */
export function not<T extends KubeObject>(predicate: Predicate<NoInfer<T>>): Predicate<T>;
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T>;
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return combined([predicate], (event) => !predicate(event));
}

/** Marks a combination of transient predicates as transient. */
function combined<T extends KubeObject>(
  parts: readonly Predicate<T>[],
  predicate: Predicate<T>,
): Predicate<T> {
  return parts.every(isTransient) ? transient(predicate) : predicate;
}

/** Accepts every event except resyncs. The default predicate of kinds other than the primary. */
export const notResync: Predicate<KubeObject> = transient(
  (event) => event.type !== "updated" || !event.resync,
);

/**
 * Accepts every event except updates of the status alone: changes of generation, labels, annotations, finalizers or
 * deletion, and every change of objects without a generation. Accepts resyncs. The default for `controller({ for })` of
 * kinds made by `defineResource`, whose status the controller itself writes.
 */
export const specOrMetadataChanged: Predicate<KubeObject> = or(
  transient((event) => event.type !== "updated" || event.resync),
  changed("generation", "labels", "annotations", "finalizers", "deletionTimestamp"),
  transient((event) => event.generation === undefined && resourceVersionChanged(event)),
);

/** Accepts every event. An update event is a new resource version or a resync, so no comparison is needed. */
const anyChange: Predicate<KubeObject> = transient(() => true);

/**
 * Returns the default predicate of the primary kind. Other programs write the status of a shared kind (the kubelet
 * writes the status of a Pod), so every change of such a kind counts.
 */
export function defaultPredicate({ definedHere }: AnyKind): Predicate<KubeObject> {
  return definedHere ? specOrMetadataChanged : anyChange;
}
