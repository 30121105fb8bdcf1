import { expect, test } from "vitest";
import type { Cell } from "./column.ts";
import { cellsOf, meta } from "./rows.fixture.ts";

const running = { running: { startedAt: "2026-11-16T00:00:00Z" } };
const waiting = (reason: string): object => ({ waiting: { reason } });
const terminated = (exitCode: number, fields: object = {}): object => ({
  terminated: { exitCode, ...fields },
});
const completed = terminated(0, { reason: "Completed" });
const failed = terminated(1, { reason: "Error", finishedAt: "2026-11-16T02:28:00Z" });
const isTrue = (type: string): object => ({ type, status: "True" });

interface Case {
  readonly containers?: readonly object[];
  readonly inits?: readonly object[];
  readonly phase?: string;
  readonly status?: object;
  readonly spec?: object;
  readonly metadata?: object;
}

/** Returns the Ready, Status and Restarts cells of a Pod. */
function cellsOfPod({
  containers = [{}],
  inits = [],
  phase = "Running",
  status,
  spec,
  metadata,
}: Case): Cell[] {
  const pod = {
    metadata: meta("p", metadata),
    spec: { containers: containers.map((_, index) => ({ name: `c${index}` })), ...spec },
    status: { phase, containerStatuses: containers, initContainerStatuses: inits, ...status },
  };
  return cellsOf("v1 Pod", pod).slice(1, 4);
}

const up = { ready: true, state: running };

test.each<[string, Case, [string, string, string]]>([
  ["is not scheduled", { phase: "Pending" }, ["0/1", "Pending", "0"]],
  ["is running", { containers: [up] }, ["1/1", "Running", "0"]],
  ["is running and not ready", { containers: [{ ready: false, state: running }] }, ["0/1", "Running", "0"]],
  [
    "has one crashing container",
    {
      containers: [
        { ...up, restartCount: 2, lastState: failed },
        {
          state: waiting("CrashLoopBackOff"),
          restartCount: 3,
          lastState: terminated(1, { finishedAt: "2026-11-16T02:38:00Z" }),
        },
      ],
    },
    ["1/2", "CrashLoopBackOff", "5 (22m ago)"],
  ],
  ["restarted at an unknown time", { containers: [{ ...up, restartCount: 2 }] }, ["1/1", "Running", "2"]],
  ["is completed", { phase: "Succeeded", containers: [{ state: completed }] }, ["0/1", "Completed", "0"]],
  [
    "failed without a reason",
    { phase: "Failed", containers: [{ state: terminated(3) }] },
    ["0/1", "ExitCode:3", "0"],
  ],
  [
    "was killed",
    { phase: "Failed", containers: [{ state: terminated(0, { signal: 9 }) }] },
    ["0/1", "Signal:9", "0"],
  ],
  [
    "was evicted",
    { phase: "Failed", containers: [{}], status: { reason: "Evicted" } },
    ["0/1", "Evicted", "0"],
  ],
  [
    "was evicted while it was running",
    { phase: "Failed", containers: [{ state: failed }], status: { reason: "Evicted" } },
    ["0/1", "Error", "0"],
  ],
  ["is partly completed and not ready", { containers: [{ state: completed }, up] }, ["1/2", "NotReady", "0"]],
  [
    "is partly completed and ready",
    { containers: [{ state: completed }, up], status: { conditions: [isTrue("Ready")] } },
    ["1/2", "Running", "0"],
  ],
  [
    "is partly completed and partly failed",
    { containers: [{ state: completed }, { state: failed }] },
    ["0/2", "Error", "0"],
  ],
  [
    "is completed beside a crashing container",
    { containers: [{ state: completed }, up, { state: waiting("CrashLoopBackOff") }] },
    ["1/3", "NotReady", "0"],
  ],
  [
    "has a scheduling gate",
    {
      phase: "Pending",
      status: {
        reason: "Why",
        conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
      },
    },
    ["0/1", "SchedulingGated", "0"],
  ],
  [
    "is being deleted",
    { containers: [up], metadata: { deletionTimestamp: "2026-11-16T02:59:00Z" } },
    ["1/1", "Terminating", "0"],
  ],
  [
    "is being deleted after it completed",
    {
      phase: "Succeeded",
      containers: [{ state: completed }],
      metadata: { deletionTimestamp: "2026-11-16T02:59:00Z" },
    },
    ["0/1", "Completed", "0"],
  ],
  [
    "is being deleted on a lost node",
    {
      containers: [up],
      status: { reason: "NodeLost" },
      metadata: { deletionTimestamp: "2026-11-16T02:59:00Z" },
    },
    ["1/1", "Unknown", "0"],
  ],
])("a Pod that %s is printed", (_, pod, cells) => {
  expect(cellsOfPod(pod)).toEqual(cells);
});

const plain = { initContainers: [{ name: "i0" }, { name: "i1" }] };
const sidecar = { initContainers: [{ name: "s0", restartPolicy: "Always" }] };
const pending = { phase: "Pending", containers: [{ state: waiting("PodInitializing") }] };

test.each<[string, Case, [string, string, string]]>([
  [
    "first init container is running",
    { ...pending, spec: plain, inits: [{ state: running }] },
    ["0/1", "Init:0/2", "0"],
  ],
  [
    "second init container has restarted",
    {
      ...pending,
      spec: plain,
      inits: [{ state: completed }, { state: running, restartCount: 1, lastState: failed }],
    },
    ["0/1", "Init:1/2", "1 (32m ago)"],
  ],
  [
    "init container is waiting",
    { ...pending, spec: plain, inits: [{ state: waiting("PodInitializing") }] },
    ["0/1", "Init:0/2", "0"],
  ],
  [
    "init container failed",
    { ...pending, spec: plain, inits: [{ state: terminated(2) }] },
    ["0/1", "Init:ExitCode:2", "0"],
  ],
  [
    "init container was killed",
    { ...pending, spec: plain, inits: [{ state: terminated(1, { signal: 15 }) }] },
    ["0/1", "Init:Signal:15", "0"],
  ],
  [
    "init container was killed for lack of memory",
    {
      ...pending,
      spec: plain,
      inits: [{ state: terminated(2, { reason: "OOMKilled" }), restartCount: 3, lastState: failed }],
    },
    ["0/1", "Init:OOMKilled", "3 (32m ago)"],
  ],
  [
    "init container crashes",
    {
      ...pending,
      spec: plain,
      inits: [{ state: waiting("CrashLoopBackOff"), restartCount: 4, lastState: failed }],
    },
    ["0/1", "Init:CrashLoopBackOff", "4 (32m ago)"],
  ],
  [
    "init containers have completed and are not counted",
    {
      spec: plain,
      inits: [{ state: completed, restartCount: 5 }],
      containers: [{ ...up, restartCount: 1, lastState: failed }],
    },
    ["1/1", "Running", "1 (32m ago)"],
  ],
  [
    "init container crashes after initialization",
    {
      spec: plain,
      inits: [{ state: waiting("CrashLoopBackOff"), restartCount: 3 }],
      containers: [{ ...up, restartCount: 1, lastState: failed }],
      status: { conditions: [isTrue("Initialized")] },
    },
    ["1/1", "Init:CrashLoopBackOff", "1 (32m ago)"],
  ],
  [
    "sidecar is running and counted",
    {
      spec: sidecar,
      inits: [
        {
          name: "s0",
          ...up,
          started: true,
          restartCount: 2,
          lastState: terminated(1, { finishedAt: "2026-11-16T02:48:00Z" }),
        },
      ],
      containers: [{ ...up, restartCount: 1, lastState: failed }],
    },
    ["2/2", "Running", "3 (12m ago)"],
  ],
  [
    "sidecar has not started",
    { ...pending, spec: sidecar, inits: [{ name: "s0", state: running, started: false, restartCount: 2 }] },
    ["0/2", "Init:0/1", "2"],
  ],
  [
    "sidecar has terminated",
    {
      spec: sidecar,
      inits: [{ name: "s0", state: failed, started: true, restartCount: 2 }],
      containers: [{ ...up, restartCount: 1 }],
    },
    ["1/2", "Running", "3"],
  ],
])("a Pod whose %s is printed", (_, pod, cells) => {
  expect(cellsOfPod(pod)).toEqual(cells);
});

test("wide output shows the node and the readiness gates of a Pod", () => {
  const pod = {
    metadata: meta("p"),
    spec: { nodeName: "n1", readinessGates: [{ conditionType: "a.b/c" }, { conditionType: "d.e/f" }] },
    status: {
      phase: "Running",
      conditions: [isTrue("a.b/c"), { type: "d.e/f", status: "False" }],
      podIPs: [{ ip: "10.0.0.9" }, { ip: "fd00::1" }],
    },
  };
  expect(cellsOf("v1 Pod", pod).slice(4)).toEqual(["90s", "10.0.0.9", "n1", "<none>", "1/2"]);
});

test("a Pod without spec and status has empty cells", () => {
  const blank = { metadata: {}, spec: { containers: null }, status: {} };
  expect(cellsOf("v1 Pod", blank)).toEqual([
    "",
    "0/0",
    "",
    "0",
    "<unknown>",
    "<none>",
    "<none>",
    "<none>",
    "<none>",
  ]);
});
