import { controllerOf, type Frozen, type ObjectKey, selectorMatcher } from "../../api/index.ts";
import { Deployment, type DeploymentStatus, ReplicaSet } from "../../api/types/apps/v1.ts";
import { Pod } from "../../api/types/core/v1.ts";
import {
  type Cache,
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
import { writeStatus } from "../owning/write-status.ts";
import { isFinished } from "../pods/pod-state.ts";
import { desiredOf } from "./annotations.ts";
import { boundsOf } from "./bounds.ts";
import { countedStatus } from "./deployment-status.ts";
import { generationsOf } from "./generations.ts";
import { deleteHistory } from "./history.ts";
import { createNewest, updateNewest } from "./newest.ts";
import { isComplete, pauseConditions, progressConditions, untilDeadlineMs } from "./progress.ts";
import {
  allOf,
  type Generations,
  newestSize,
  oldScalings,
  proportionalScalings,
  type Scaling,
  sizeOf,
  totalSize,
} from "./rollout-plan.ts";
import { scale } from "./scale.ts";

type DeploymentView = Frozen<Deployment>;

const orphans = index(ReplicaSet, namespaceOfOrphan);

/**
 * Rolls out the template of each Deployment through ReplicaSets, one for each version of the template.
 *
 * Every reconcile takes at most one step of a rollout and writes the status; the events of the ReplicaSets cause the
 * next one.
 */
export const deployments: Controller = controller({
  name: "deployment-controller",
  for: Deployment,
  indexes: [orphans],
  on: [
    owns(ReplicaSet),
    watches(ReplicaSet, (set, { cache }) =>
      possibleOwners(set, () => cache.of(Deployment).views({ namespace: set.metadata.namespace })),
    ),
    watches(Pod, deploymentOf, { when: ({ type }) => type === "deleted" }), // Recreate waits for the end of old Pods
  ],
  concurrency: 5,
  async reconcile(key, context) {
    const deployment = context.cache.of(Deployment).view(key);
    if (!deployment) return undefined;
    if (selectsEverything(deployment)) return refuse(deployment, context);
    const found = generationsOf(deployment, await setsOf(deployment, context));
    const generations = await withRevision(deployment, found, context);
    return reconcileGenerations({ deployment, generations, context });
  },
});

/** A reconcile of one Deployment. */
interface Rollout {
  readonly deployment: DeploymentView;
  readonly generations: Generations;
  readonly context: Context;
}

async function reconcileGenerations(rollout: Rollout): Promise<Requeue | undefined> {
  const { deployment, generations } = rollout;
  if (deployment.metadata.deletionTimestamp) return finish(rollout, countedStatus);
  if (deployment.spec.paused || isResized(deployment, generations)) return resize(rollout);
  const step = deployment.spec.strategy?.type === "Recreate" ? recreate : rollingUpdate;
  return finish({ ...rollout, generations: await step(rollout) }, rolloutStatus);
}

/** Returns the Deployment whose ReplicaSet controls the Pod. */
function deploymentOf(pod: Frozen<Pod>, { cache }: { readonly cache: Cache }): ObjectKey[] {
  const { namespace } = pod.metadata;
  const set = controllerOf(pod);
  const owner =
    set?.kind === "ReplicaSet" ? cache.of(ReplicaSet).view({ namespace, name: set.name }) : undefined;
  const { kind, name } = (owner && controllerOf(owner)) ?? {};
  return kind === "Deployment" && name ? [{ namespace, name }] : [];
}

function selectsEverything({ spec: { selector } }: DeploymentView): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

async function refuse(deployment: DeploymentView, { client, events }: Context): Promise<undefined> {
  const text = "This deployment is selecting all pods. A non-empty selector is required.";
  events.warning(deployment, "SelectingAll", text);
  const { generation } = deployment.metadata;
  const status = { ...mutable(deployment.status), observedGeneration: generation };
  await writeStatus(client, Deployment, { object: deployment, status });
  return undefined;
}

function setsOf(deployment: DeploymentView, { client, cache }: Context): Promise<Frozen<ReplicaSet>[]> {
  return claim({
    client,
    kind: ReplicaSet,
    owner: deployment,
    ownerKind: Deployment,
    selector: selectorMatcher(deployment.spec.selector),
    owned: cache.owned(ReplicaSet, deployment),
    orphans: cache.by(orphans, deployment.metadata.namespace ?? ""),
  });
}

/** Returns true if `replicas` changed since the active ReplicaSets were scaled. */
function isResized({ spec }: DeploymentView, generations: Generations): boolean {
  const active = allOf(generations).filter((set) => sizeOf(set) > 0);
  return active.some((set) => (desiredOf(set) ?? spec.replicas) !== spec.replicas);
}

/** Scales the ReplicaSets as they are, without a rollout. */
async function resize(rollout: Rollout): Promise<Requeue | undefined> {
  const { deployment, generations, context } = rollout;
  const rolling = deployment.spec.strategy?.type !== "Recreate";
  const scalings = proportionalScalings(generations, boundsOf(deployment), rolling);
  const scaled = await scaleAll(rollout, scalings);
  if (deployment.spec.paused) await deleteHistory(deployment, scaled.old, context);
  return finish({ ...rollout, generations: scaled }, countedStatus);
}

async function rollingUpdate(rollout: Rollout): Promise<Generations> {
  const { deployment, generations: found } = rollout;
  const bounds = boundsOf(deployment);
  const size = newestSize(found.newest ? sizeOf(found.newest) : 0, totalSize(found.old), bounds);
  const generations = await withNewest(rollout, size);
  const { newest } = generations;
  if (!newest) return generations;
  const resized = sizeOf(newest) !== size;
  const scalings = resized ? [{ set: newest, replicas: size }] : oldScalings(generations, bounds);
  return scaleAll({ ...rollout, generations }, scalings);
}

async function recreate(rollout: Rollout): Promise<Generations> {
  const { deployment, generations: found, context } = rollout;
  const active = found.old.filter((set) => sizeOf(set) > 0);
  if (active.length > 0)
    return scaleAll(
      rollout,
      active.map((set) => ({ set, replicas: 0 })),
    );
  if (found.old.some((set) => hasPods(set, context))) return found;
  const { replicas } = boundsOf(deployment);
  const generations = await withNewest(rollout, replicas);
  const { newest } = generations;
  return newest ? scaleAll({ ...rollout, generations }, [{ set: newest, replicas }]) : generations;
}

/** Returns true if a Pod of the ReplicaSet has not ended, even if it is terminating. */
function hasPods(set: Frozen<ReplicaSet>, { cache }: Context): boolean {
  return cache.owned(Pod, set).some((pod) => !isFinished(pod));
}

/** Gives the newest ReplicaSet, if it exists, the highest revision. */
async function withRevision(
  deployment: DeploymentView,
  { newest, old }: Generations,
  context: Context,
): Promise<Generations> {
  return { newest: newest && (await updateNewest(deployment, { newest, old }, context)), old };
}

/** Creates the newest ReplicaSet with `size` replicas if it does not exist. */
async function withNewest({ deployment, generations, context }: Rollout, size: number): Promise<Generations> {
  const { newest, old } = generations;
  return { newest: newest ?? (await createNewest(deployment, { old, size }, context)), old };
}

/** Scales ReplicaSets, and returns all of them with their new sizes. */
async function scaleAll(
  { deployment, generations: { newest, old }, context }: Rollout,
  scalings: readonly Scaling[],
): Promise<Generations> {
  const scaled = new Map<Frozen<ReplicaSet>, Frozen<ReplicaSet>>();
  for (const scaling of scalings) scaled.set(scaling.set, await scale(deployment, scaling, context));
  return { newest: newest && (scaled.get(newest) ?? newest), old: old.map((set) => scaled.get(set) ?? set) };
}

/** Writes the status, deletes old ReplicaSets of a complete rollout, and requeues the Deployment for its deadline. */
async function finish(
  { deployment: stale, generations, context }: Rollout,
  statusOf: typeof countedStatus,
): Promise<Requeue | undefined> {
  const current = context.cache.of(Deployment).view(stale.metadata) ?? stale; // with the status that this reconcile wrote
  const nowMs = context.now();
  const conditions = pauseConditions(current, nowMs);
  const deployment = { ...current, status: { ...current.status, conditions } };
  const status = statusOf(deployment, generations, nowMs);
  await writeStatus(context.client, Deployment, { object: current, status });
  if (isComplete(deployment, status)) await deleteHistory(deployment, generations.old, context);
  const requeueAfterMs = untilDeadlineMs(deployment, status, nowMs);
  return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
}

function rolloutStatus(
  deployment: DeploymentView,
  generations: Generations,
  nowMs: number,
): DeploymentStatus {
  const status = countedStatus(deployment, generations, nowMs);
  return { ...status, conditions: progressConditions({ deployment, status, generations, nowMs }) };
}

function mutable(status: Frozen<DeploymentStatus> | undefined): DeploymentStatus {
  return structuredClone(status ?? {}) as DeploymentStatus; // a clone may be changed
}
