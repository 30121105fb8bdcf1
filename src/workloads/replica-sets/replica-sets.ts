import { controllerOf, type Frozen, selectorMatcher } from "../../api/index.ts";
import { ReplicaSet } from "../../api/types/apps/v1.ts";
import { Pod } from "../../api/types/core/v1.ts";
import { timestamp } from "../../base/index.ts";
import { isConflict, isNamespaceTerminating } from "../../client/index.ts";
import {
  type Context,
  type Controller,
  controller,
  index,
  owns,
  type Requeue,
  watches,
} from "../../controller/index.ts";
import { claim } from "../owning/claim.ts";
import { namespaceOfOrphan, possibleOwners } from "../owning/orphans.ts";
import { serverMessage } from "../owning/server-message.ts";
import { slowStart } from "../owning/slow-start.ts";
import { writeStatus } from "../owning/write-status.ts";
import { inDeletionOrder } from "../pods/deletion-order.ts";
import { newPod } from "../pods/new-pod.ts";
import { availableInMs, isActive, type PodView } from "../pods/pod-state.ts";
import { type ManageFailure, replicaSetStatus } from "./replica-set-status.ts";

type ReplicaSetView = Frozen<ReplicaSet>;

const orphans = index(Pod, namespaceOfOrphan);

/**
 * Keeps as many Pods of each ReplicaSet as it asks for, and counts them in its status.
 *
 * The controller reads its own writes (the overlay of the cache), so it needs no expectations as kube-controller-manager
 * does.
 */
export const replicaSets: Controller = controller({
  name: "replicaset-controller",
  for: ReplicaSet,
  indexes: [orphans],
  on: [
    owns(Pod),
    watches(Pod, (pod, { cache }) =>
      possibleOwners(pod, () => cache.of(ReplicaSet).views({ namespace: pod.metadata.namespace })),
    ),
  ],
  concurrency: 5,
  async reconcile(key, context) {
    const set = context.cache.of(ReplicaSet).view(key);
    if (!set) return;
    const pods = await podsOf(set, context);
    const failure = set.metadata.deletionTimestamp ? undefined : await manage(set, pods, context);
    const nowMs = context.now(); // of the status and of the requeue: a Pod that becomes available in between would be missed
    await updateStatus(set, { failure, nowMs }, context);
    if (failure) throw failure.error;
    return whenAvailable(set, nowMs, context);
  },
});

function podsOf(set: ReplicaSetView, { client, cache }: Context): Promise<PodView[]> {
  return claim({
    client,
    kind: Pod,
    owner: set,
    ownerKind: ReplicaSet,
    selector: selectorMatcher(set.spec.selector),
    owned: cache.owned(Pod, set),
    orphans: cache.by(orphans, set.metadata.namespace ?? ""),
  });
}

interface Failure extends ManageFailure {
  readonly error: unknown;
}

/** Creates the Pods that are missing, or deletes those that are too many. */
async function manage(
  set: ReplicaSetView,
  pods: readonly PodView[],
  context: Context,
): Promise<Failure | undefined> {
  const active = pods.filter(isActive);
  const missing = (set.spec.replicas ?? 1) - active.length;
  if (missing > 0) return createPods(set, Math.min(missing, maxBurst), context);
  if (missing < 0) return deletePods(set, surplus(set, active, context), context);
  return undefined;
}

/** Maximum number of Pods that one reconcile creates or deletes. */
const maxBurst = 500;

async function createPods(
  set: ReplicaSetView,
  count: number,
  context: Context,
): Promise<Failure | undefined> {
  const { error } = await slowStart(count, () => createPod(set, context));
  if (error === undefined || isNamespaceTerminating(error)) return undefined;
  return { reason: "FailedCreate", message: serverMessage(error), error };
}

async function createPod(set: ReplicaSetView, { client, events }: Context): Promise<void> {
  try {
    const created = await client.create(Pod, newPod(set.spec.template ?? {}, set));
    events.normal(set, "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
  } catch (error) {
    if (!isNamespaceTerminating(error))
      events.warning(set, "FailedCreate", `Error creating: ${serverMessage(error)}`);
    throw error;
  }
}

/** Returns the Pods to delete: see `inDeletionOrder`. */
function surplus(set: ReplicaSetView, active: readonly PodView[], context: Context): PodView[] {
  const { cache } = context;
  const { uid } = controllerOf(set) ?? {};
  const siblings = uid ? cache.owned(ReplicaSet, { metadata: { ...set.metadata, uid } }) : [set];
  const perNode = countBy(
    siblings.flatMap((each) => cache.owned(Pod, each)).filter(isActive),
    ({ spec }) => spec.nodeName ?? "",
  );
  const order = inDeletionOrder(active, { related: (node) => perNode.get(node) ?? 0, nowMs: context.now() });
  return order.slice(0, Math.min(active.length - (set.spec.replicas ?? 1), maxBurst));
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

async function deletePods(
  set: ReplicaSetView,
  pods: readonly PodView[],
  context: Context,
): Promise<Failure | undefined> {
  const results = await Promise.allSettled(pods.map((pod) => deletePod(set, pod, context)));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return undefined;
  const message = `unable to delete pods: ${serverMessage(failed.reason)}`;
  return { reason: "FailedDelete", message, error: failed.reason };
}

async function deletePod(set: ReplicaSetView, pod: PodView, { client, events }: Context): Promise<void> {
  try {
    await client.delete(Pod, pod);
    events.normal(set, "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  } catch (error) {
    if (isConflict(error)) return; // a newer Pod has the name
    events.warning(set, "FailedDelete", `Error deleting: ${serverMessage(error)}`);
    throw error;
  }
}

/** Counts the Pods again: their cache contains what this reconcile created and deleted. */
function updateStatus(
  set: ReplicaSetView,
  { failure, nowMs }: { readonly failure: ManageFailure | undefined; readonly nowMs: number },
  { client, cache }: Context,
): Promise<void> {
  const selector = selectorMatcher(set.spec.selector);
  const pods = cache.owned(Pod, set).filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const status = replicaSetStatus(set, { pods, failure, nowMs, now: timestamp(nowMs) });
  return writeStatus(client, ReplicaSet, { object: set, status });
}

/** Requeues the set for when its next Pod becomes available. */
function whenAvailable(set: ReplicaSetView, nowMs: number, { cache }: Context): Requeue | undefined {
  const availability = { minReadySeconds: set.spec.minReadySeconds, nowMs };
  const delays = cache.owned(Pod, set).map((pod) => availableInMs(pod, availability) ?? 0);
  const pending = delays.filter((delay) => delay > 0);
  return pending.length > 0 ? { requeueAfterMs: Math.min(...pending) } : undefined;
}
