import { expect, test } from "vitest";
import type { Frozen } from "../../api/index.ts";
import type { Deployment, DeploymentCondition, DeploymentStatus } from "../../api/types/apps/v1.ts";
import { timestamp } from "../../base/index.ts";
import { pauseConditions, progressConditions, untilDeadlineMs } from "./progress.ts";

const nowMs = 1_800_000_000_000;
const before = timestamp(nowMs - 100_000);

function progressing(reason: string, status = "True"): DeploymentCondition {
  return {
    type: "Progressing",
    status,
    reason,
    message: "",
    lastUpdateTime: before,
    lastTransitionTime: before,
  };
}

function deployment(spec: Partial<Deployment["spec"]>, status: DeploymentStatus): Frozen<Deployment> {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", uid: "u", resourceVersion: "1", creationTimestamp: "", generation: 1 },
    spec: { replicas: 3, selector: {}, template: {}, progressDeadlineSeconds: 60, ...spec },
    status,
  };
}

const full = {
  replicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  availableReplicas: 3,
  observedGeneration: 1,
};
const partial = { ...full, availableReplicas: 2 };

interface Row {
  readonly name: string;
  readonly was: DeploymentStatus;
  readonly is?: DeploymentStatus;
  readonly reason: string | undefined;
  readonly spec?: Partial<Deployment["spec"]>;
  readonly current?: string;
}

const created = "NewReplicaSetCreated";

test.each<Row>([
  { name: "all replicas are available", was: partial, is: full, reason: "NewReplicaSetAvailable" },
  { name: "one more is available", was: { ...full, availableReplicas: 1 }, reason: "ReplicaSetUpdated" },
  {
    name: "one more is updated",
    was: { ...partial, updatedReplicas: 2, replicas: 2 },
    reason: "ReplicaSetUpdated",
  },
  { name: "nothing changed until the deadline", was: partial, reason: "ProgressDeadlineExceeded" },
  {
    name: "nothing changed, and the deadline is later",
    was: partial,
    reason: created,
    spec: { progressDeadlineSeconds: 600 },
  },
  {
    name: "Pods fail after the rollout",
    was: full,
    is: partial,
    current: "NewReplicaSetAvailable",
    reason: "NewReplicaSetAvailable",
  },
  {
    name: "the deadline is unlimited",
    was: partial,
    reason: undefined,
    spec: { progressDeadlineSeconds: 2 ** 31 - 1 },
  },
])("the rollout is $reason if $name", ({ was, is = partial, reason, spec = {}, current = created }) => {
  const conditions = [progressing(current)];
  const rollout = {
    deployment: deployment(spec, { ...was, conditions }),
    status: { ...is, conditions },
    generations: { newest: undefined, old: [] },
    nowMs,
  };
  expect(progressConditions(rollout)[0]?.reason).toBe(reason);
});

test.each([
  { paused: true, reason: created, after: "Unknown DeploymentPaused" },
  { paused: false, reason: "DeploymentPaused", after: "Unknown DeploymentResumed" },
  { paused: false, reason: created, after: `True ${created}` },
  { paused: true, reason: "ProgressDeadlineExceeded", after: "True ProgressDeadlineExceeded" },
])("$reason becomes $after if paused is $paused", ({ paused, reason, after }) => {
  const [condition] = pauseConditions(deployment({ paused }, { conditions: [progressing(reason)] }), nowMs);
  expect(`${condition?.status} ${condition?.reason}`).toBe(after);
});

test.each([
  { reason: created, spec: { progressDeadlineSeconds: 110 }, after: 11_000 },
  { reason: created, spec: {}, after: 1_000 },
  { reason: "NewReplicaSetAvailable", spec: {}, after: undefined },
  { reason: "ProgressDeadlineExceeded", spec: {}, after: undefined },
  { reason: "DeploymentPaused", spec: { paused: true }, after: undefined },
])("the deadline of a rollout that is $reason is checked after $after ms", ({ reason, spec, after }) => {
  const status = { ...partial, conditions: [progressing(reason)] };
  expect(untilDeadlineMs(deployment(spec, status), status, nowMs)).toBe(after);
});
