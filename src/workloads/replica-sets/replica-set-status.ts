import { type Frozen, type LabelMatcher, selectorMatcher } from "../../api/index.ts";
import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from "../../api/types/apps/v1.ts";
import { isActive, isAvailable, isReady, isTerminating, type PodView } from "../pods/pod-state.ts";

/** A failure to create or delete Pods. */
export interface ManageFailure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
}

export interface StatusInput {
  /** All Pods of the set, also finished and terminating ones. */
  readonly pods: readonly PodView[];
  readonly failure: ManageFailure | undefined;
  /** The current time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The current time, RFC 3339. */
  readonly now: string;
}

export function replicaSetStatus(
  { metadata, spec, status }: Frozen<ReplicaSet>,
  { pods, failure, nowMs, now }: StatusInput,
): ReplicaSetStatus {
  const active = pods.filter(isActive);
  const template = templateMatcher(spec.template?.metadata?.labels);
  const availability = { minReadySeconds: spec.minReadySeconds, nowMs };
  return {
    replicas: active.length,
    fullyLabeledReplicas: positive(
      active.filter((pod) => template.matches(pod.metadata.labels ?? {})).length,
    ),
    readyReplicas: positive(active.filter(isReady).length),
    availableReplicas: positive(active.filter((pod) => isAvailable(pod, availability)).length),
    terminatingReplicas: pods.filter(isTerminating).length,
    observedGeneration: metadata.generation,
    conditions: conditionsAfter(status?.conditions, failure, now),
  };
}

function templateMatcher(matchLabels: Readonly<Record<string, string>> | undefined): LabelMatcher {
  return selectorMatcher({ matchLabels: { ...matchLabels } });
}

/** Returns a count as the API has it, in which 0 is absent. */
function positive(count: number): number | undefined {
  return count === 0 ? undefined : count;
}

/** A condition of an earlier failure stays as it is until Pods can be created and deleted again. */
function conditionsAfter(
  before: Frozen<ReplicaSetCondition[]> | undefined,
  failure: ManageFailure | undefined,
  now: string,
): ReplicaSetCondition[] | undefined {
  const others = (before ?? []).filter(({ type }) => type !== "ReplicaFailure");
  if (!failure) return others.length > 0 ? others : undefined;
  if (others.length !== (before ?? []).length) return [...(before ?? [])];
  const { reason, message } = failure;
  return [...others, { type: "ReplicaFailure", status: "True", reason, message, lastTransitionTime: now }];
}
