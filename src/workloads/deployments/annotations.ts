import type { Frozen } from "../../api/index.ts";
import type { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";

/** Annotations by which a Deployment and its ReplicaSets remember a rollout. `kubectl rollout` reads them. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const historyAnnotation = "deployment.kubernetes.io/revision-history";
export const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxAnnotation = "deployment.kubernetes.io/max-replicas";

/** Annotations of a Deployment that its ReplicaSets do not get. */
const notCopied: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

type Annotations = Readonly<Record<string, string>>;

/** Returns the annotations that a ReplicaSet gets from its Deployment. */
export function copiedAnnotations({ metadata }: Frozen<Deployment>): Annotations {
  const entries = Object.entries(metadata.annotations ?? {});
  return Object.fromEntries(entries.filter(([name]) => !notCopied.has(name)));
}

/** Returns the revision of a ReplicaSet or Deployment, 0 if it has none. */
export function revisionOf({ metadata }: Frozen<Deployment | ReplicaSet>): number {
  return wholeNumber(metadata.annotations?.[revisionAnnotation]) ?? 0;
}

export function newestRevision(sets: readonly Frozen<ReplicaSet>[]): number {
  return Math.max(0, ...sets.map(revisionOf));
}

/** Returns the annotations that record how many replicas the Deployment wants, and at most may have. */
export function sizeAnnotations(desired: number, max: number): Annotations {
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(max) };
}

/** Returns the replicas that the Deployment wanted when the ReplicaSet was last scaled. */
export function desiredOf({ metadata }: Frozen<ReplicaSet>): number | undefined {
  return wholeNumber(metadata.annotations?.[desiredAnnotation]);
}

/** Returns the replicas that the Deployment could have when the ReplicaSet was last scaled. */
export function maxOf({ metadata }: Frozen<ReplicaSet>): number | undefined {
  return wholeNumber(metadata.annotations?.[maxAnnotation]);
}

/**
 * Returns the annotations of the newest ReplicaSet. If it becomes the newest again, by a rollback, its previous revision
 * is added to the history.
 */
export function newestAnnotations(
  deployment: Frozen<Deployment>,
  set: Frozen<ReplicaSet>,
  revision: number,
): Annotations {
  const annotations = { ...set.metadata.annotations, ...copiedAnnotations(deployment) };
  const previous = revisionOf(set);
  if (previous >= revision) return annotations;
  const history = historyWith(set.metadata.annotations?.[historyAnnotation], previous);
  return { ...annotations, ...history, [revisionAnnotation]: String(revision) };
}

function historyWith(history: string | undefined, previous: number): Annotations {
  if (previous === 0) return {};
  const revisions = [...(history ? history.split(",") : []), String(previous)];
  while (revisions.length > 1 && revisions.join(",").length > maxHistoryLength) revisions.shift();
  return { [historyAnnotation]: revisions.join(",") };
}

const maxHistoryLength = 2_000;

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
