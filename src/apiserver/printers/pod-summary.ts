import type { DeepPartial } from "../../api/index.ts";
import type { ContainerState, ContainerStatus, Pod } from "../../api/types/core/v1.ts";
import type { Shown } from "./column.ts";

/** What a Pod's containers add up to, in the words of `kubectl get pods`. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** A phase, or the reason of what keeps the Pod from it. */
  readonly status: string;
  readonly restarts: number;
  /** When a container ended that was started again. RFC 3339; empty where nobody knows. */
  readonly lastRestart: string;
}

type Container = DeepPartial<ContainerStatus>;
type State = DeepPartial<ContainerState> | undefined;
type Tally = Omit<PodSummary, "total">;

export function podSummary(pod: Shown<Pod>): PodSummary {
  const initial = initTally(pod, { ready: 0, status: phaseOf(pod), restarts: 0, lastRestart: "" });
  const initializing = initial.status.startsWith("Init:") && !hasCondition(pod, "Initialized");
  const tally = initializing ? initial : mainTally(pod, afterInit(pod, initial));
  const total = (pod.spec?.containers ?? []).length + sidecars(pod).size;
  return { ...tally, total, status: endingOf(pod) ?? tally.status };
}

function phaseOf({ status }: Shown<Pod>): string {
  const gated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  return gated ? "SchedulingGated" : status?.reason || (status?.phase ?? "");
}

/** Counts init containers up to the one that is at work, and says how far they are. */
function initTally(pod: Shown<Pod>, start: Tally): Tally {
  const restartable = sidecars(pod);
  const count = (pod.spec?.initContainers ?? []).length;
  let tally = start;
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    tally = restarted(tally, container);
    const up = restartable.has(container.name) && container.started === true;
    if (up && container.ready) tally = { ...tally, ready: tally.ready + 1 };
    if (!up && container.state?.terminated?.exitCode !== 0) {
      return { ...tally, status: `Init:${initReason(container.state) ?? `${index}/${count}`}` };
    }
  }
  return tally;
}

function initReason(state: State): string | undefined {
  if (state?.terminated) return endReason(state);
  const reason = state?.waiting?.reason;
  return reason && reason !== "PodInitializing" ? reason : undefined;
}

/** Once the init containers are done, only those count that stay. */
function afterInit(pod: Shown<Pod>, { ready, status }: Tally): Tally {
  const names = sidecars(pod);
  const statuses = (pod.status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  return statuses.reduce(restarted, { ready, status, restarts: 0, lastRestart: "" });
}

function mainTally(pod: Shown<Pod>, start: Tally): Tally {
  const containers = pod.status?.containerStatuses ?? [];
  const tally = containers.reduce(restarted, start);
  const running = containers.filter(({ ready, state }) => ready && state?.running).length;
  const stopped = containers.map(({ state }) => stoppedReason(state)).find((reason) => reason !== undefined);
  const status = stopped === "Completed" ? completedStatus(pod, running) : (stopped ?? tally.status);
  return { ...tally, ready: tally.ready + running, status };
}

/** Where one container is done, another that failed or still runs says more. */
function completedStatus(pod: Shown<Pod>, running: number): string {
  const states = (pod.status?.containerStatuses ?? []).map(({ state }) => state);
  const failed = states.find((state) => state?.terminated && state.terminated.exitCode !== 0);
  if (failed) return endReason(failed);
  if (running === 0) return "Completed";
  return hasCondition(pod, "Ready") ? "Running" : "NotReady";
}

/** Why a container does not run, if it does not. */
function stoppedReason(state: State): string | undefined {
  return state?.waiting?.reason || (state?.terminated && endReason(state));
}

function endReason(state: State): string {
  const { reason, signal, exitCode = 0 } = state?.terminated ?? {};
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** What deletion makes of it. */
function endingOf({ metadata, status }: Shown<Pod>): string | undefined {
  if (!metadata.deletionTimestamp) return undefined;
  if (status?.reason === "NodeLost") return "Unknown";
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? undefined : "Terminating";
}

function restarted<T extends Tally>(tally: T, { restartCount = 0, lastState }: Container): T {
  const ended = lastState?.terminated?.finishedAt ?? "";
  return {
    ...tally,
    restarts: tally.restarts + restartCount,
    // Times of one form sort as texts.
    lastRestart: [ended, tally.lastRestart].sort()[1] ?? "",
  };
}

/** Names of the init containers that stay while the others run. */
function sidecars({ spec }: Shown<Pod>): ReadonlySet<string | undefined> {
  const staying = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return new Set(staying.map(({ name }) => name));
}

function hasCondition({ status }: Shown<Pod>, wanted: string): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === wanted && value === "True");
}
