import { conditionOf, type Frozen, isControlledBy } from "../../api/index.ts";
import { Deployment, type DeploymentStatus, ReplicaSet } from "../../api/types/apps/v1.ts";
import { asError } from "../../base/index.ts";
import { isAlreadyExists, isNamespaceTerminating } from "../../client/index.ts";
import type { Context } from "../../controller/index.ts";
import { writeStatus } from "../owning/write-status.ts";
import { newestAnnotations, newestRevision, revisionAnnotation, revisionOf } from "./annotations.ts";
import { type Change, setCondition } from "./deployment-status.ts";
import { hasTemplateOf, newReplicaSet } from "./generations.ts";
import { deadlineOf } from "./progress.ts";

type DeploymentView = Frozen<Deployment>;
type ReplicaSetView = Frozen<ReplicaSet>;

/** Gives the newest ReplicaSet the Deployment's annotations and the highest revision: after a rollback it had a lower one. */
export async function updateNewest(
  deployment: DeploymentView,
  { newest, old }: { readonly newest: ReplicaSetView; readonly old: readonly ReplicaSetView[] },
  context: Context,
): Promise<ReplicaSetView> {
  const annotations = newestAnnotations(deployment, newest, newestRevision(old) + 1);
  const { minReadySeconds = 0 } = deployment.spec;
  const changed = Object.entries(annotations).some(([name, value]) => newest.metadata.annotations?.[name] !== value);
  const patch = { metadata: { uid: newest.metadata.uid, annotations }, spec: { minReadySeconds } };
  const updated =
    changed || minReadySeconds !== (newest.spec.minReadySeconds ?? 0)
      ? await context.client.patch(ReplicaSet, newest.metadata, { merge: patch })
      : newest;
  const message = `Found new replica set "${newest.metadata.name}"`;
  await recordRollout(deployment, updated, { reason: "FoundNewReplicaSet", message, onlyFirst: true }, context);
  return updated;
}

/**
 * Creates a ReplicaSet for the Deployment's template.
 *
 * @returns `undefined` if it was not created: the namespace is terminating, or its name is in use by another ReplicaSet
 */
export async function createNewest(
  deployment: DeploymentView,
  { old, size }: { readonly old: readonly ReplicaSetView[]; readonly size: number },
  context: Context,
): Promise<ReplicaSetView | undefined> {
  const { client, events } = context;
  const draft = newReplicaSet(deployment, old, size);
  try {
    const created = await client.create(ReplicaSet, draft);
    const { name } = created.metadata;
    if (size > 0) events.normal(deployment, "ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${size}`);
    const message = `Created new replica set "${name}"`;
    await recordRollout(deployment, created, { reason: "NewReplicaSetCreated", message, onlyFirst: false }, context);
    return created;
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined;
    if (isAlreadyExists(error)) return existing(deployment, draft.metadata.name ?? "", context);
    await recordFailure(deployment, asError(error), context);
    throw error;
  }
}

/** Returns the ReplicaSet that has the name, if it is the one to create. Otherwise the next attempt uses another name. */
async function existing(
  deployment: DeploymentView,
  name: string,
  { client }: Context,
): Promise<ReplicaSetView | undefined> {
  const { namespace } = deployment.metadata;
  const found = await client.get(ReplicaSet, { namespace, name }, { resourceVersion: "" });
  if (found && isControlledBy(found, deployment) && hasTemplateOf(deployment, found)) return found;
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  await writeStatus(client, Deployment, deployment, { ...statusOf(deployment), collisionCount });
  return undefined;
}

interface Rollout {
  readonly reason: string;
  readonly message: string;
  /** True to keep a condition that already says how the rollout goes. */
  readonly onlyFirst: boolean;
}

/** Shows the revision on the Deployment, and that its rollout has begun. */
async function recordRollout(
  deployment: DeploymentView,
  newest: ReplicaSetView,
  { reason, message, onlyFirst }: Rollout,
  context: Context,
): Promise<void> {
  const revision = revisionOf(newest);
  const known = onlyFirst && conditionOf(deployment.status?.conditions, "Progressing");
  const change: Change = { type: "Progressing", status: "True", reason, message };
  const recorded = deadlineOf(deployment) === undefined || known;
  if (revision === revisionOf(deployment) && recorded) return;
  const before = deployment.status?.conditions ?? [];
  const conditions = recorded ? before : setCondition(before, change, context.now());
  const { uid } = deployment.metadata;
  const metadata = { uid, annotations: { [revisionAnnotation]: String(revision) } };
  const merge = { metadata, status: { conditions } };
  await context.client.patch(Deployment, deployment.metadata, { merge }, { subresource: "status" });
}

async function recordFailure(deployment: DeploymentView, { message }: Error, context: Context): Promise<void> {
  const { client, events } = context;
  const reason = "ReplicaSetCreateError";
  const text = `Failed to create new replica set: ${message}`;
  events.warning(deployment, reason, text);
  if (deadlineOf(deployment) === undefined) return;
  const change: Change = { type: "Progressing", status: "False", reason, message };
  const conditions = setCondition(deployment.status?.conditions ?? [], change, context.now());
  await writeStatus(client, Deployment, deployment, { ...statusOf(deployment), conditions });
}

function statusOf({ status }: DeploymentView): DeploymentStatus {
  return structuredClone(status ?? {}) as DeploymentStatus; // a clone may be changed
}
