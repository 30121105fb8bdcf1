import { conditionOf, type Frozen } from "../../api/index.ts";
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from "../../api/types/apps/v1.ts";
import { timestamp } from "../../base/index.ts";
import { boundsOf } from "./bounds.ts";
import { allOf, type Generations, totalSize } from "./rollout-plan.ts";

type DeploymentView = Frozen<Deployment>;
type Conditions = DeploymentCondition[];

/** Counts the Pods of the ReplicaSets, and says whether enough of them are available. Other conditions stay. */
export function countedStatus(
  deployment: DeploymentView,
  generations: Generations,
  nowMs: number,
): DeploymentStatus {
  const sets = allOf(generations);
  const { newest } = generations;
  const available = sum(sets, ({ availableReplicas }) => availableReplicas);
  const { status, metadata } = deployment;
  const counted: DeploymentStatus = {
    observedGeneration: metadata.generation,
    replicas: sum(sets, ({ replicas }) => replicas),
    updatedReplicas: newest ? sum([newest], ({ replicas }) => replicas) : undefined,
    readyReplicas: sum(sets, ({ readyReplicas }) => readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalSize(sets) - available),
    terminatingReplicas: terminatingOf(sets),
    collisionCount: status?.collisionCount,
  };
  const conditions = setCondition(status?.conditions ?? [], availability(deployment, available), nowMs);
  return { ...withoutZeros(counted), conditions };
}

function sum(
  sets: readonly Frozen<ReplicaSet>[],
  countOf: (status: NonNullable<Frozen<ReplicaSet>["status"]>) => number | undefined,
): number {
  return sets.reduce((total, { status }) => total + ((status && countOf(status)) ?? 0), 0);
}

/** Returns `undefined` if a ReplicaSet has not counted its terminating Pods yet. */
function terminatingOf(sets: readonly Frozen<ReplicaSet>[]): number | undefined {
  const unknown = sets.some(({ status }) => status?.terminatingReplicas === undefined);
  return unknown ? undefined : sum(sets, ({ terminatingReplicas }) => terminatingReplicas);
}

/** In the API, a count of 0 is absent, except for terminating replicas. */
function withoutZeros({ terminatingReplicas, ...status }: DeploymentStatus): DeploymentStatus {
  const counts = Object.entries(status).filter(([, value]) => value !== 0 && value !== undefined);
  return { ...Object.fromEntries(counts), terminatingReplicas };
}

function availability(deployment: DeploymentView, available: number): Change {
  const { replicas, unavailable } = boundsOf(deployment);
  const type = "Available";
  return available >= replicas - unavailable
    ? {
        type,
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type,
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

/** The fields of a condition that its writer decides. */
export type Change = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

/**
 * Returns the conditions with the changed one at the end. A condition with the same status and reason stays as it is,
 * with its message and times.
 */
export function setCondition(conditions: Conditions, change: Change, nowMs: number): Conditions {
  const current = conditionOf(conditions, change.type);
  const unchanged = current?.status === change.status && current.reason === change.reason;
  return unchanged ? conditions : renewCondition(conditions, change, nowMs);
}

/** Returns the conditions with the changed one at the end, also if only its message or update time changes. */
export function renewCondition(conditions: Conditions, change: Change, nowMs: number): Conditions {
  const current = conditionOf(conditions, change.type);
  const now = timestamp(nowMs);
  const lastTransitionTime = current?.status === change.status ? current.lastTransitionTime : now;
  return [
    ...withoutCondition(conditions, change.type),
    { ...change, lastUpdateTime: now, lastTransitionTime },
  ];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
