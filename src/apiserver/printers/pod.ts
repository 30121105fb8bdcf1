import type { DeepPartial } from "../../api/index.ts";
import type { ContainerState, ContainerStatus, Pod } from "../../api/types/core/v1.ts";
import { ageOf } from "./age.ts";
import { orNone } from "./cell-text.ts";
import { age, name, type Printable, type Printer, printer, text, wide } from "./column.ts";

/** The readiness, status and restarts of a Pod as `kubectl get pods` shows them. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** The phase, or the reason that replaces it. */
  readonly status: string;
  readonly restarts: number;
  /** The time of the last restart of a container in RFC 3339, or empty if it is unknown. */
  readonly lastRestart: string;
}

type Container = DeepPartial<ContainerStatus>;
type State = DeepPartial<ContainerState> | undefined;
type Counts = Omit<PodSummary, "total">;

export function podSummary(pod: Printable<Pod>): PodSummary {
  const initCounts = countInitContainers(pod, {
    ready: 0,
    status: phaseOf(pod),
    restarts: 0,
    lastRestart: "",
  });
  const initializing = initCounts.status.startsWith("Init:") && !hasCondition(pod, "Initialized");
  const counts = initializing ? initCounts : countContainers(pod, resetToSidecars(pod, initCounts));
  const total = (pod.spec?.containers ?? []).length + sidecarNames(pod).size;
  return { ...counts, total, status: deletionStatus(pod) ?? counts.status };
}

function phaseOf({ status }: Printable<Pod>): string {
  const isGated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  return isGated ? "SchedulingGated" : status?.reason || (status?.phase ?? "");
}

/** Counts the init containers up to the one that is running, and sets the status to the progress. */
function countInitContainers(pod: Printable<Pod>, start: Counts): Counts {
  const sidecars = sidecarNames(pod);
  const count = (pod.spec?.initContainers ?? []).length;
  let counts = start;
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    counts = addRestarts(counts, container);
    const isStarted = sidecars.has(container.name) && container.started === true;
    if (isStarted && container.ready) counts = { ...counts, ready: counts.ready + 1 };
    if (!isStarted && container.state?.terminated?.exitCode !== 0) {
      return { ...counts, status: `Init:${initReason(container.state) ?? `${index}/${count}`}` };
    }
  }
  return counts;
}

function initReason(state: State): string | undefined {
  if (state?.terminated) return terminationReason(state);
  const reason = state?.waiting?.reason;
  return reason && reason !== "PodInitializing" ? reason : undefined;
}

/** Counts only the sidecars once the init containers have finished. */
function resetToSidecars(pod: Printable<Pod>, { ready, status }: Counts): Counts {
  const names = sidecarNames(pod);
  const statuses = (pod.status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  return statuses.reduce(addRestarts, { ready, status, restarts: 0, lastRestart: "" });
}

function countContainers(pod: Printable<Pod>, start: Counts): Counts {
  const containers = pod.status?.containerStatuses ?? [];
  const counts = containers.reduce(addRestarts, start);
  const running = containers.filter(({ ready, state }) => ready && state?.running).length;
  const stopReason = containers
    .map(({ state }) => stoppedReason(state))
    .find((reason) => reason !== undefined);
  const status = stopReason === "Completed" ? completedStatus(pod, running) : (stopReason ?? counts.status);
  return { ...counts, ready: counts.ready + running, status };
}

/**
 * Returns the status of a Pod with a completed container. Other containers that failed or are running take precedence.
 */
function completedStatus(pod: Printable<Pod>, running: number): string {
  const states = (pod.status?.containerStatuses ?? []).map(({ state }) => state);
  const failed = states.find((state) => state?.terminated && state.terminated.exitCode !== 0);
  if (failed) return terminationReason(failed);
  if (running === 0) return "Completed";
  return hasCondition(pod, "Ready") ? "Running" : "NotReady";
}

/** Returns why a container is not running, or `undefined` if it is running. */
function stoppedReason(state: State): string | undefined {
  return state?.waiting?.reason || (state?.terminated && terminationReason(state));
}

function terminationReason(state: State): string {
  const { reason, signal, exitCode = 0 } = state?.terminated ?? {};
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** Returns the status of a Pod that is being deleted. */
function deletionStatus({ metadata, status }: Printable<Pod>): string | undefined {
  if (!metadata.deletionTimestamp) return undefined;
  if (status?.reason === "NodeLost") return "Unknown";
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? undefined : "Terminating";
}

function addRestarts<T extends Counts>(counts: T, { restartCount = 0, lastState }: Container): T {
  const finishedAt = lastState?.terminated?.finishedAt ?? "";
  return {
    ...counts,
    restarts: counts.restarts + restartCount,
    // RFC 3339 times in the same time zone sort as strings.
    lastRestart: [finishedAt, counts.lastRestart].sort()[1] ?? "",
  };
}

/** Returns the names of the sidecars: init containers with restartPolicy Always. */
function sidecarNames({ spec }: Printable<Pod>): ReadonlySet<string | undefined> {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return new Set(sidecars.map(({ name }) => name));
}

function hasCondition({ status }: Printable<Pod>, conditionType: string): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: value }) => type === conditionType && value === "True",
  );
}

export const podPrinter: Printer = printer<Pod>(
  name,
  text("Ready", (pod) => {
    const { ready, total } = podSummary(pod);
    return `${ready}/${total}`;
  }),
  text("Status", (pod) => podSummary(pod).status),
  text("Restarts", (pod, now) => {
    const { restarts, lastRestart } = podSummary(pod);
    return restarts > 0 && lastRestart ? `${restarts} (${ageOf(lastRestart, now)} ago)` : `${restarts}`;
  }),
  age,
  wide("IP", ({ status }) => orNone(status?.podIPs?.[0]?.ip)),
  wide("Node", ({ spec }) => orNone(spec?.nodeName)),
  wide("Nominated Node", ({ status }) => orNone(status?.nominatedNodeName)),
  wide("Readiness Gates", readinessGates),
);

function readinessGates({ spec, status }: Printable<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const trueConditions = new Set((status?.conditions ?? []).filter(isTrue).map(({ type }) => type));
  return `${gates.filter(({ conditionType }) => trueConditions.has(conditionType)).length}/${gates.length}`;
}

function isTrue({ status }: { readonly status?: string | undefined }): boolean {
  return status === "True";
}
