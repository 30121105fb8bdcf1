import { conditionOf, type Frozen } from "../../api/index.ts";
import type { ContainerStatus, PodCondition, PodStatus } from "../../api/types/core/v1.ts";
import { timestamp, timestampMs } from "../../base/index.ts";
import { isFinished, type PodView } from "../pods/pod-state.ts";
import { type ContainerStep, earliest, nextState, waiting } from "./container-state.ts";
import type { PodBehavior } from "./pod-behavior.ts";

/** The status of a Pod now, and when it changes by itself. */
export interface PodStep {
  readonly status: PodStatus;
  /** When the next step is due, in milliseconds since 1970. @default never */
  readonly nextMs?: number | undefined;
}

export interface PodStepOptions {
  readonly behavior: PodBehavior;
  /** The address of the node. */
  readonly hostIP: string;
  /** Returns the address of the Pod. Called once for each Pod. */
  readonly newPodIP: () => string;
  readonly nowMs: number;
}

/** Returns the status that a kubelet reports for a Pod of its node. */
export function podStep(pod: PodView, options: PodStepOptions): PodStep {
  const startTime = pod.status?.startTime ?? timestamp(options.nowMs);
  const deadline = deadlineOf(pod, startTime);
  if (deadline !== undefined && deadline <= options.nowMs) return exceeded(pod, startTime, options.nowMs);
  const containers = containerSteps(pod, timestampMs(startTime), options);
  const statuses = containers.map(({ status }) => status);
  const phase = phaseOf(statuses, pod.spec.restartPolicy);
  const ended = phase === "Succeeded" || phase === "Failed";
  const status = {
    ...withAddresses(pod, options),
    observedGeneration: pod.metadata.generation,
    phase,
    startTime,
    conditions: conditionsOf(pod, { phase, statuses }, options.nowMs),
    containerStatuses: statuses,
    initContainerStatuses: initStatuses(pod, startTime, statuses),
  };
  const nextMs = earliest(ended ? undefined : deadline, ...containers.map((step) => step.nextMs));
  return { status: structuredClone(status) as PodStatus, nextMs }; // a clone may be changed
}

function deadlineOf({ spec }: PodView, startTime: string): number | undefined {
  const { activeDeadlineSeconds: seconds } = spec;
  return seconds === undefined ? undefined : timestampMs(startTime) + seconds * 1_000;
}

function exceeded(pod: PodView, startTime: string, nowMs: number): PodStep {
  const { containerStatuses: before = [] } = pod.status ?? {};
  const terminated = { exitCode: 137, reason: "Error", startedAt: startTime, finishedAt: timestamp(nowMs) };
  const statuses = before.map((each) => ({ ...each, ready: false, started: false, state: { terminated } }));
  const status = {
    ...pod.status,
    phase: "Failed",
    reason: "DeadlineExceeded",
    message: "Pod was active on the node longer than the specified deadline",
    startTime,
    conditions: conditionsOf(pod, { phase: "Failed", statuses }, nowMs),
    containerStatuses: statuses,
  };
  return { status: structuredClone(status) as PodStatus }; // a clone may be changed
}

/** Returns the status of a Pod whose containers were stopped. */
export function stoppedStatus(pod: PodView, nowMs: number): PodStatus {
  if (isFinished(pod)) return structuredClone(pod.status ?? {}) as PodStatus; // a clone may be changed
  const finishedAt = timestamp(nowMs);
  const statuses = (pod.status?.containerStatuses ?? []).map((each) => {
    const startedAt = each.state?.running?.startedAt ?? finishedAt;
    const terminated = each.state?.terminated ?? { exitCode: 0, reason: "Completed", startedAt, finishedAt };
    return { ...each, ready: false, started: false, state: { terminated } };
  });
  const phase = statuses.every(({ state }) => state.terminated.exitCode === 0) ? "Succeeded" : "Failed";
  const conditions = conditionsOf(pod, { phase, statuses }, nowMs);
  const status = { ...pod.status, phase, conditions, containerStatuses: statuses };
  return structuredClone(status) as PodStatus; // a clone may be changed
}

function containerSteps(pod: PodView, startTimeMs: number, options: PodStepOptions): ContainerStep[] {
  const { behavior, nowMs } = options;
  const { containers, restartPolicy = "Always" } = pod.spec;
  const startMs = startTimeMs + (behavior.startAfterMs ?? 0);
  const { containerStatuses: before = [] } = pod.status ?? {};
  return containers.map((container) => {
    const known = before.find(({ name }) => name === container.name);
    if (behavior.waitingReason) return { status: waiting(container, behavior.waitingReason, known) };
    if (startMs > nowMs) return { status: waiting(container, "ContainerCreating", known), nextMs: startMs };
    return nextState(container, known, { behavior, restartPolicy, nowMs });
  });
}

/** Init containers succeed when the containers start. Those that are always restarted (sidecars) keep running. */
function initStatuses(
  { spec, status }: PodView,
  startTime: string,
  statuses: readonly Frozen<ContainerStatus>[],
): readonly Frozen<ContainerStatus>[] | undefined {
  const { initContainers = [] } = spec;
  if (initContainers.length === 0) return undefined;
  const started = statuses.some(({ state }) => state?.running || state?.terminated);
  return initContainers.map((container) => {
    const known = status?.initContainerStatuses?.find(({ name }) => name === container.name);
    if (known?.state?.running || known?.state?.terminated) return known;
    if (!started) return waiting(container, "PodInitializing", known);
    const base = {
      name: container.name,
      image: container.image ?? "",
      imageID: container.image ?? "",
      restartCount: 0,
    };
    if (container.restartPolicy === "Always")
      return { ...base, ready: true, started: true, state: { running: { startedAt: startTime } } };
    const terminated = { exitCode: 0, reason: "Completed", startedAt: startTime, finishedAt: startTime };
    return { ...base, ready: true, started: false, state: { terminated } };
  });
}

type Phase = NonNullable<PodStatus["phase"]>;

function phaseOf(statuses: readonly Frozen<ContainerStatus>[], restartPolicy: string | undefined): Phase {
  const exitCodes = statuses.map(({ state }) => state?.terminated?.exitCode);
  if (restartPolicy !== "Always" && exitCodes.every((code) => code !== undefined))
    return exitCodes.every((code) => code === 0) ? "Succeeded" : "Failed";
  const started = statuses.some(
    ({ state, lastState }) => state?.running || state?.terminated || lastState?.terminated,
  );
  return started ? "Running" : "Pending";
}

function withAddresses(pod: PodView, { hostIP, newPodIP }: PodStepOptions): Frozen<PodStatus> {
  const podIP = pod.status?.podIP ?? (pod.spec.hostNetwork ? hostIP : newPodIP());
  return { ...pod.status, hostIP, hostIPs: [{ ip: hostIP }], podIP, podIPs: [{ ip: podIP }] };
}

interface Observed {
  readonly phase: string;
  readonly statuses: readonly Frozen<ContainerStatus>[];
}

/** Returns the conditions in the order of a kubelet. Those of other writers, such as readiness gates, stay. */
function conditionsOf(pod: PodView, { phase, statuses }: Observed, nowMs: number): PodCondition[] {
  const { conditions: before = [] } = pod.status ?? {};
  const unready = statuses.filter(({ ready }) => !ready).map(({ name }) => name);
  const containers = containersReady(phase, unready);
  const gates = (pod.spec.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const closed = gates.filter((type) => conditionOf(before, type)?.status !== "True");
  const ready = containers.status === "True" && closed.length > 0 ? gatesNotReady(closed) : containers;
  const pending = phase === "Pending";
  const known: Change[] = [
    {
      type: "PodReadyToStartContainers",
      status: phase === "Succeeded" || phase === "Failed" ? "False" : "True",
    },
    { type: "Initialized", status: pending && (pod.spec.initContainers ?? []).length > 0 ? "False" : "True" },
    { ...ready, type: "Ready" },
    { ...containers, type: "ContainersReady" },
  ];
  const updated = known.map((change) => changed(pod, change, nowMs));
  return [
    ...updated,
    ...before.filter(({ type }) => !known.some((change) => change.type === type)),
  ] as PodCondition[];
}

type Change = Pick<PodCondition, "type" | "status" | "reason" | "message">;

function containersReady(phase: string, unready: readonly string[]): Omit<Change, "type"> {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  if (unready.length === 0) return { status: "True" };
  const message = `containers with unready status: [${unready.join(" ")}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

function gatesNotReady(closed: readonly string[]): Omit<Change, "type"> {
  const message = closed.map((type) => `the status of pod readiness gate "${type}" is not "True"`).join(", ");
  return { status: "False", reason: "ReadinessGatesNotReady", message };
}

function changed({ status, metadata }: PodView, change: Change, nowMs: number): PodCondition {
  const current = conditionOf(status?.conditions, change.type);
  const lastTransitionTime =
    current?.status === change.status ? current.lastTransitionTime : timestamp(nowMs);
  return { ...change, observedGeneration: metadata.generation, lastTransitionTime };
}
