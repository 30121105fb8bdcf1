import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

const template = {
  spec: {
    containers: [
      { name: "c0", image: "img0:1" },
      { name: "c1", image: "img1:1" },
    ],
  },
};
const pods = ["c0,c1", "img0:1,img1:1"];

test("a Deployment shows its progress and its sorted selector", () => {
  const selector = {
    matchLabels: { app: "x" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a"] },
      { key: "z", operator: "Exists" },
      { key: "y", operator: "NotIn", values: ["q"] },
      { key: "w", operator: "DoesNotExist" },
    ],
  };
  const deployment = {
    metadata: meta("d"),
    spec: { replicas: 3, selector, template },
    status: { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
  };
  expect(cellsOf("apps/v1 Deployment", deployment)).toEqual([
    "d",
    "1/3",
    2,
    1,
    "90s",
    ...pods,
    "app=x,tier in (a,b),!w,y notin (q),z",
  ]);
});

test("a Deployment without spec and status has empty cells", () => {
  const blank = { metadata: {}, spec: { selector: null, template: { spec: { containers: null } } } };
  expect(cellsOf("apps/v1 Deployment", blank)).toEqual(["", "0/0", 0, 0, "<unknown>", "", "", ""]);
});

test("ReplicaSets, StatefulSets and DaemonSets show their counts", () => {
  const selector = { matchLabels: { app: "x" } };
  expect(
    cellsOf("apps/v1 ReplicaSet", {
      metadata: meta("r"),
      spec: { replicas: 2, selector, template },
      status: { replicas: 2, readyReplicas: 1 },
    }),
  ).toEqual(["r", 2, 2, 1, "90s", ...pods, "app=x"]);
  expect(
    cellsOf("apps/v1 StatefulSet", {
      metadata: meta("s"),
      spec: { replicas: 2, selector, template },
      status: { readyReplicas: 1 },
    }),
  ).toEqual(["s", "1/2", "90s", ...pods]);
  const status = {
    desiredNumberScheduled: 3,
    currentNumberScheduled: 2,
    numberReady: 1,
    updatedNumberScheduled: 2,
    numberAvailable: 1,
  };
  const placed = { spec: { ...template.spec, nodeSelector: { b: "2", a: "1" } } };
  expect(
    cellsOf("apps/v1 DaemonSet", { metadata: meta("d"), spec: { selector, template: placed }, status }),
  ).toEqual(["d", 3, 2, 1, 2, 1, "a=1,b=2", "90s", ...pods, "app=x"]);
});

test.each([
  [
    [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "u", controller: true }],
    "statefulset.apps/s",
  ],
  [
    [{ apiVersion: "v1", kind: "ReplicationController", name: "r", uid: "u", controller: true }],
    "replicationcontroller/r",
  ],
  [[{ apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: "u" }], "<none>"],
])("a ControllerRevision owned by %j shows %s", (ownerReferences, owner) => {
  const revision = { metadata: meta("r", { ownerReferences }), revision: 3 };
  expect(cellsOf("apps/v1 ControllerRevision", revision)).toEqual(["r", owner, 3, "90s"]);
});

const started = { startTime: "2026-11-16T01:28:00Z" };
const deleted = { deletionTimestamp: "2026-11-16T02:59:00Z" };
const conditions = (...types: string[]): object => ({
  conditions: types.map((type) => ({ type, status: "True" })),
});

test.each<[string, { spec?: object; status?: object; metadata?: object }, string[]]>([
  ["is new", {}, ["Running", "0/1", ""]],
  [
    "is running",
    { spec: { completions: 5 }, status: { ...started, active: 2, succeeded: 1 } },
    ["Running", "1/5", "92m"],
  ],
  [
    "is complete",
    {
      status: {
        ...started,
        ...conditions("SuccessCriteriaMet", "Complete"),
        succeeded: 1,
        completionTime: "2026-11-16T01:31:20Z",
      },
    },
    ["Complete", "1/1", "3m20s"],
  ],
  ["failed", { status: { ...started, ...conditions("FailureTarget", "Failed") } }, ["Failed", "0/1", "92m"]],
  ["failed and is being deleted", { status: conditions("Failed"), metadata: deleted }, ["Failed", "0/1", ""]],
  ["is about to fail", { status: conditions("FailureTarget") }, ["FailureTarget", "0/1", ""]],
  [
    "is about to fail and is being deleted",
    { status: conditions("FailureTarget"), metadata: deleted },
    ["Terminating", "0/1", ""],
  ],
  [
    "has met its success criteria",
    { status: conditions("SuccessCriteriaMet") },
    ["SuccessCriteriaMet", "0/1", ""],
  ],
  ["is suspended", { status: conditions("FailureTarget", "Suspended") }, ["Suspended", "0/1", ""]],
  [
    "has a work queue",
    { spec: { completions: undefined, parallelism: 3 }, status: { succeeded: 1 } },
    ["Running", "1/1 of 3", ""],
  ],
  [
    "has a work queue and one worker",
    { spec: { completions: undefined, parallelism: 1 } },
    ["Running", "0/1", ""],
  ],
])("a Job that %s is printed", (_, { spec, status, metadata }, cells) => {
  const job = { metadata: meta("j", metadata), spec: { completions: 1, ...spec, template }, status };
  expect(cellsOf("batch/v1 Job", job)).toEqual(["j", ...cells, "90s", ...pods, "<none>"]);
});

test("a CronJob shows its schedule, time zone and last schedule time", () => {
  const jobTemplate = { spec: { template } };
  expect(
    cellsOf("batch/v1 CronJob", {
      metadata: meta("c"),
      spec: { schedule: "@daily", suspend: false, jobTemplate },
    }),
  ).toEqual(["c", "@daily", "<none>", "False", 0, "<none>", "90s", ...pods, "<none>"]);
  expect(
    cellsOf("batch/v1 CronJob", {
      metadata: meta("c"),
      spec: { schedule: "*/5 * * * *", timeZone: "Europe/Berlin", suspend: true, jobTemplate },
      status: { active: [{ name: "a" }, { name: "b" }], lastScheduleTime: "2026-11-16T01:28:00Z" },
    }),
  ).toEqual(["c", "*/5 * * * *", "Europe/Berlin", "True", 2, "92m", "90s", ...pods, "<none>"]);
});
