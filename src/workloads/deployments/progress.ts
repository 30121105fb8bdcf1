import { conditionOf, type Frozen } from "../../api/index.ts";
import type { Deployment, DeploymentCondition, DeploymentStatus } from "../../api/types/apps/v1.ts";
import { timestampMs } from "../../base/index.ts";
import { type Change, renewCondition, setCondition, withoutCondition } from "./deployment-status.ts";
import { allOf, type Generations } from "./rollout-plan.ts";

type DeploymentView = Frozen<Deployment>;
type Conditions = DeploymentCondition[];

/** The largest deadline. It disables the check. */
const noDeadline = 2 ** 31 - 1;

/** Returns the seconds within which a rollout has to make progress, if the Deployment limits them. */
export function deadlineOf({ spec }: DeploymentView): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec;
  return seconds === noDeadline ? undefined : seconds;
}

/** Returns true if all replicas have the newest template and are available. */
export function isComplete({ metadata, spec }: DeploymentView, status: Frozen<DeploymentStatus>): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const counts = [updatedReplicas, replicas, availableReplicas];
  return (
    counts.every((count) => count === (spec.replicas ?? 1)) &&
    observedGeneration >= (metadata.generation ?? 0)
  );
}

/** A status of which the counts are up to date, and the conditions are not. */
export interface Counted {
  /** The Deployment with its former status. */
  readonly deployment: DeploymentView;
  readonly status: DeploymentStatus;
  readonly generations: Generations;
  readonly nowMs: number;
}

/** Returns the conditions of a rollout: whether it progresses, and why Pods fail. */
export function progressConditions(counted: Counted): Conditions {
  const conditions = progressing(counted);
  const { generations, nowMs } = counted;
  const failure = replicaFailure(generations);
  return failure ? setCondition(conditions, failure, nowMs) : withoutCondition(conditions, "ReplicaFailure");
}

function progressing({ deployment, status, generations: { newest }, nowMs }: Counted): Conditions {
  const { conditions = [] } = status;
  if (deadlineOf(deployment) === undefined) return withoutCondition(conditions, "Progressing");
  const current = conditionOf(deployment.status?.conditions, "Progressing");
  const { replicas = 0, updatedReplicas = 0 } = status;
  if (replicas === updatedReplicas && current?.reason === completed) return conditions;
  const subject = newest
    ? `ReplicaSet "${newest.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) return setCondition(conditions, success(subject), nowMs);
  if (madeProgress(deployment.status, status)) return renewCondition(conditions, ongoing(subject), nowMs);
  return isTimedOut(deployment, nowMs) ? setCondition(conditions, timeout(subject), nowMs) : conditions;
}

const completed = "NewReplicaSetAvailable";
const timedOut = "ProgressDeadlineExceeded";

function success(subject: string): Change {
  const message = `${subject} has successfully progressed.`;
  return { type: "Progressing", status: "True", reason: completed, message };
}

function ongoing(subject: string): Change {
  return {
    type: "Progressing",
    status: "True",
    reason: "ReplicaSetUpdated",
    message: `${subject} is progressing.`,
  };
}

function timeout(subject: string): Change {
  const message = `${subject} has timed out progressing.`;
  return { type: "Progressing", status: "False", reason: timedOut, message };
}

function madeProgress(before: Frozen<DeploymentStatus> | undefined, after: DeploymentStatus): boolean {
  const count = (status: Frozen<DeploymentStatus> | undefined) => {
    const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {};
    return {
      updated: updatedReplicas,
      old: replicas - updatedReplicas,
      ready: readyReplicas,
      available: availableReplicas,
    };
  };
  const [was, is] = [count(before), count(after)];
  return is.updated > was.updated || is.old < was.old || is.ready > was.ready || is.available > was.available;
}

function isTimedOut(deployment: DeploymentView, nowMs: number): boolean {
  const current = conditionOf(deployment.status?.conditions, "Progressing");
  if (!current || current.reason === completed) return false;
  return current.reason === timedOut || (deadlineMs(deployment) ?? Number.POSITIVE_INFINITY) < nowMs;
}

/** Returns when the rollout times out if it makes no progress, in milliseconds since 1970. */
function deadlineMs(deployment: DeploymentView): number | undefined {
  const seconds = deadlineOf(deployment);
  const updated = conditionOf(deployment.status?.conditions, "Progressing")?.lastUpdateTime;
  return seconds !== undefined && updated ? timestampMs(updated) + seconds * 1_000 : undefined;
}

/**
 * Returns the time until the deadline has to be checked, or `undefined` if the rollout is complete, has failed or is
 * paused.
 */
export function untilDeadlineMs(
  deployment: DeploymentView,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const { reason } = conditionOf(status.conditions, "Progressing") ?? {};
  if (reason === timedOut || reason === completed || deployment.spec.paused) return undefined;
  const at = deadlineMs({ ...deployment, status });
  return at === undefined ? undefined : Math.max(0, at - nowMs) + 1_000;
}

function replicaFailure(generations: Generations): Change | undefined {
  const { newest } = generations;
  const failed = [...(newest ? [newest] : []), ...allOf(generations)].flatMap(
    ({ status }) => conditionOf(status?.conditions, "ReplicaFailure") ?? [],
  )[0];
  return (
    failed && {
      type: "ReplicaFailure",
      status: failed.status,
      reason: failed.reason,
      message: failed.message,
    }
  );
}

/** Returns the conditions after a pause or resumption of the rollout. A rollout that timed out stays so. */
export function pauseConditions(deployment: DeploymentView, nowMs: number): Conditions {
  const conditions = deployment.status?.conditions ?? [];
  const current = conditionOf(conditions, "Progressing");
  if (deadlineOf(deployment) === undefined || current?.reason === timedOut) return conditions;
  const wasPaused = current?.reason === "DeploymentPaused";
  if (deployment.spec.paused && !wasPaused) return setCondition(conditions, paused, nowMs);
  return !deployment.spec.paused && wasPaused ? setCondition(conditions, resumed, nowMs) : conditions;
}

const paused: Change = {
  type: "Progressing",
  status: "Unknown",
  reason: "DeploymentPaused",
  message: "Deployment is paused",
};

const resumed: Change = {
  type: "Progressing",
  status: "Unknown",
  reason: "DeploymentResumed",
  message: "Deployment is resumed",
};
