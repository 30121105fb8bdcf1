import { conditionOf, type Frozen, isControlledBy, type New } from "../../api/index.ts";
import { Deployment, type DeploymentStatus, ReplicaSet } from "../../api/types/apps/v1.ts";
import { isAlreadyExists, isNamespaceTerminating } from "../../client/index.ts";
import type { Context } from "../../controller/index.ts";
import { serverMessage } from "../owning/server-message.ts";
import { writeStatus } from "../owning/write-status.ts";
import { newestAnnotations, newestRevision, revisionAnnotation, revisionOf } from "./annotations.ts";
import { type Change, setCondition } from "./deployment-status.ts";
import { hasTemplateOf, newReplicaSet } from "./generations.ts";
import { deadlineOf } from "./progress.ts";
import { sizeOf } from "./rollout-plan.ts";

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
  const changed = Object.entries(annotations).some(
    ([name, value]) => newest.metadata.annotations?.[name] !== value,
  );
  const patch = { metadata: { uid: newest.metadata.uid, annotations }, spec: { minReadySeconds } };
  const updated =
    changed || minReadySeconds !== (newest.spec.minReadySeconds ?? 0)
      ? await context.client.patch(ReplicaSet, newest.metadata, { merge: patch })
      : newest;
  const message = `Found new replica set "${newest.metadata.name}"`;
  const found = { newest: updated, reason: "FoundNewReplicaSet", message, onlyFirst: true };
  await recordRollout(deployment, found, context);
  return updated;
}

/**
 * Creates a ReplicaSet for the Deployment's template. If another ReplicaSet has its name, the next name is used.
 *
 * @returns `undefined` if the namespace is terminating
 */
export async function createNewest(
  deployment: DeploymentView,
  { old, size }: { readonly old: readonly ReplicaSetView[]; readonly size: number },
  context: Context,
): Promise<ReplicaSetView | undefined> {
  const draft = newReplicaSet(deployment, old, size);
  const name = draft.metadata.name ?? "";
  const created = await create(deployment, draft, context);
  if (created === "namespace terminating") return undefined;
  if (created !== "already exists") return announce(deployment, created, context);
  const { client } = context;
  const found = await client.get(ReplicaSet, { ...deployment.metadata, name }, { resourceVersion: "" });
  if (found && isControlledBy(found, deployment) && hasTemplateOf(deployment, found)) return found;
  const status = { ...statusOf(deployment), collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
  await writeStatus(client, Deployment, { object: deployment, status });
  return createNewest({ ...deployment, status }, { old, size }, context);
}

async function create(
  deployment: DeploymentView,
  draft: New<ReplicaSet>,
  context: Context,
): Promise<ReplicaSetView | "already exists" | "namespace terminating"> {
  try {
    return await context.client.create(ReplicaSet, draft);
  } catch (error) {
    if (isNamespaceTerminating(error)) return "namespace terminating";
    if (isAlreadyExists(error)) return "already exists";
    const message = `Failed to create new replica set "${draft.metadata.name}": ${serverMessage(error)}`;
    await recordFailure(deployment, message, context);
    throw error;
  }
}

async function announce(
  deployment: DeploymentView,
  newest: ReplicaSetView,
  context: Context,
): Promise<ReplicaSetView> {
  const { name } = newest.metadata;
  const size = sizeOf(newest);
  if (size > 0)
    context.events.normal(deployment, "ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${size}`);
  const message = `Created new replica set "${name}"`;
  await recordRollout(
    deployment,
    { newest, reason: "NewReplicaSetCreated", message, onlyFirst: false },
    context,
  );
  return newest;
}

interface Rollout {
  readonly newest: ReplicaSetView;
  readonly reason: string;
  readonly message: string;
  /** True to keep a condition that already says how the rollout goes. */
  readonly onlyFirst: boolean;
}

/** Shows the revision on the Deployment, and that its rollout has begun. */
async function recordRollout(
  deployment: DeploymentView,
  { newest, reason, message, onlyFirst }: Rollout,
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

async function recordFailure(
  deployment: DeploymentView,
  message: string,
  { client, events, now }: Context,
): Promise<void> {
  const reason = "ReplicaSetCreateError";
  events.warning(deployment, reason, message);
  if (deadlineOf(deployment) === undefined) return;
  const change: Change = { type: "Progressing", status: "False", reason, message };
  const conditions = setCondition(deployment.status?.conditions ?? [], change, now());
  await writeStatus(client, Deployment, {
    object: deployment,
    status: { ...statusOf(deployment), conditions },
  });
}

function statusOf({ status }: DeploymentView): DeploymentStatus {
  return structuredClone(status ?? {}) as DeploymentStatus; // a clone may be changed
}
