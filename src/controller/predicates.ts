import type { AnyKind, KubeObject, ObjectMeta } from "../api/index.ts";
import { metadataFieldChanged, type ObjectEvent } from "../cache/index.ts";

/** Whether an event is a reason to reconcile. It is asked before anything is queued, and changes no cache. */
export type Predicate<T extends KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Those that keep nothing of an event when they have answered: ours. What others do is not known. */
const brief = new WeakSet<Predicate<never>>();

/** Whether it is known to look at events only while it is asked. */
export function keepsNothing(predicate: Predicate<never>): boolean {
  return brief.has(predicate);
}

function keepingNothing<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  brief.add(predicate);
  return predicate;
}

/**
 * Additions and deletions, and updates that changed one of these fields of the metadata. Updates that change nothing, which
 * come from a resync, do not count.
 */
function changed(...fields: readonly (keyof ObjectMeta)[]): Predicate<KubeObject> {
  return keepingNothing((event) => event.type !== "updated" || metadataFieldChanged(event, ...fields));
}

/** What the object asks for changed: not its status, nor most of its metadata. */
export const generationChanged: Predicate<KubeObject> = changed("generation");
export const labelsChanged: Predicate<KubeObject> = changed("labels");
export const annotationsChanged: Predicate<KubeObject> = changed("annotations");
export const finalizersChanged: Predicate<KubeObject> = changed("finalizers");
/** Anything changed. */
export const resourceVersionChanged: Predicate<KubeObject> = changed("resourceVersion");
/** Somebody has asked for the object to be deleted. */
export const deletionChanged: Predicate<KubeObject> = changed("deletionTimestamp");

/** The object has these labels, or an update took them from it. */
export function hasLabels(labels: Readonly<Record<string, string>>): Predicate<KubeObject> {
  const has = (metadata: ObjectMeta): boolean =>
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  return keepingNothing(
    (event) => has(event.metadata) || (event.type === "updated" && has(event.previousMetadata)),
  );
}

export function and<T extends KubeObject>(...all: readonly Predicate<T>[]): Predicate<T> {
  return asBriefAs(all, (event) => all.every((predicate) => predicate(event)));
}

export function or<T extends KubeObject>(...any: readonly Predicate<T>[]): Predicate<T> {
  return asBriefAs(any, (event) => any.some((predicate) => predicate(event)));
}

export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return asBriefAs([predicate], (event) => !predicate(event));
}

/** What is made of predicates that keep nothing keeps nothing. */
function asBriefAs<T extends KubeObject>(parts: readonly Predicate<T>[], made: Predicate<T>): Predicate<T> {
  return parts.every(keepsNothing) ? keepingNothing(made) : made;
}

/** What counts for other kinds than the primary unless it is said otherwise. */
export const notResync: Predicate<KubeObject> = keepingNothing(
  (event) => event.type !== "updated" || !event.resync,
);

/**
 * Everything but a change of the status alone: generation, labels, annotations, finalizers or deletion changed, and every
 * change of objects that have no generation. Resyncs count. The default for `controller({ for })` of kinds made by
 * `defineResource`, whose status the controller itself writes.
 */
export const specOrMetadataChanged: Predicate<KubeObject> = or(
  keepingNothing((event) => event.type !== "updated" || event.resync),
  changed("generation", "labels", "annotations", "finalizers", "deletionTimestamp"),
  keepingNothing((event) => event.generation === undefined && resourceVersionChanged(event)),
);

/** Every update event is a new resource version or a resync, so nothing has to be compared. */
const anyChange: Predicate<KubeObject> = keepingNothing(() => true);

/**
 * The default predicate of the primary kind. Another program writes the status of a shared kind (the kubelet that of a Pod), so
 * any change of it counts.
 */
export function defaultPredicate({ definedHere }: AnyKind): Predicate<KubeObject> {
  return definedHere ? specOrMetadataChanged : anyChange;
}
