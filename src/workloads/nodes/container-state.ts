import type { Frozen } from "../../api/index.ts";
import type { Container, ContainerStatus } from "../../api/types/core/v1.ts";
import { timestamp, timestampMs } from "../../base/index.ts";
import type { PodBehavior } from "./pod-behavior.ts";

type StatusView = Frozen<ContainerStatus>;

/** The state of a container now, and when it changes by itself. */
export interface ContainerStep {
  readonly status: StatusView;
  /** When the next step is due, in milliseconds since 1970. @default never */
  readonly nextMs?: number | undefined;
}

export interface ContainerOptions {
  readonly behavior: PodBehavior;
  /** The restart policy of the Pod. */
  readonly restartPolicy: string;
  readonly nowMs: number;
}

/** Returns the state of a container that cannot start. */
export function waiting(container: Frozen<Container>, reason: string, before?: StatusView): StatusView {
  return { ...statusOf(container, before), ready: false, started: false, state: { waiting: { reason } } };
}

/** Starts a container, ends it when its time is over, and restarts it with backoff, as a kubelet does. */
export function nextState(
  container: Frozen<Container>,
  before: StatusView | undefined,
  options: ContainerOptions,
): ContainerStep {
  const { running, terminated } = before?.state ?? {};
  if (running?.startedAt) {
    return run(container, before, { ...options, startedMs: timestampMs(running.startedAt) });
  }
  if (!terminated && !before?.lastState?.terminated) return start(container, before, options);
  return restart(container, before, options);
}

function start(
  container: Frozen<Container>,
  before: StatusView | undefined,
  options: ContainerOptions,
): ContainerStep {
  const state = { running: { startedAt: timestamp(options.nowMs) } };
  return run(container, { ...statusOf(container, before), state }, { ...options, startedMs: options.nowMs });
}

interface Run extends ContainerOptions {
  readonly startedMs: number;
}

function run(container: Frozen<Container>, before: StatusView | undefined, options: Run): ContainerStep {
  const { behavior, nowMs, startedMs } = options;
  const { runForMs, readyAfterMs = 0 } = behavior;
  const minMs = before?.restartCount ? minRestartedMs : 0;
  const endMs = runForMs === undefined ? undefined : startedMs + Math.max(runForMs, minMs);
  if (endMs !== undefined && endMs <= nowMs) return exit(container, before, options);
  const readyMs = behavior.ready === false ? undefined : startedMs + readyAfterMs;
  const ready = readyMs !== undefined && readyMs <= nowMs;
  const status = { ...statusOf(container, before), ready, started: true, state: before?.state };
  return { status, nextMs: earliest(ready ? undefined : readyMs, endMs) };
}

function exit(container: Frozen<Container>, before: StatusView | undefined, ended: Run): ContainerStep {
  const { startedMs, nowMs, behavior } = ended;
  const { exitCode = 0 } = behavior;
  const reason = exitCode === 0 ? "Completed" : "Error";
  const terminated = { exitCode, reason, startedAt: timestamp(startedMs), finishedAt: timestamp(nowMs) };
  const status = { ...statusOf(container, before), ready: false, started: false, state: { terminated } };
  return isRestarted(exitCode, ended) ? restart(container, status, ended) : { status };
}

/** Starts the container again at once after its first exit, then after 10 s, 20 s and so on, at most after 5 minutes. */
function restart(
  container: Frozen<Container>,
  before: StatusView | undefined,
  options: ContainerOptions,
): ContainerStep {
  const terminated = before?.state?.terminated ?? before?.lastState?.terminated;
  if (!before || !terminated || !isRestarted(terminated.exitCode, options))
    return { status: statusOf(container, before) };
  const { restartCount } = before;
  const delayMs = restartCount === 0 ? 0 : Math.min(300_000, 10_000 * 2 ** (restartCount - 1));
  const atMs = timestampMs(terminated.finishedAt ?? "") + delayMs;
  const ended = { ...before, lastState: { terminated }, state: undefined };
  if (atMs > options.nowMs) return { status: waiting(container, "CrashLoopBackOff", ended), nextMs: atMs };
  return start(container, { ...ended, restartCount: restartCount + 1 }, options);
}

/** A restarted container runs at least for this long, so that a container that exits at once does not keep the node busy. */
const minRestartedMs = 1_000;

function isRestarted(exitCode: number, { restartPolicy }: ContainerOptions): boolean {
  return restartPolicy === "Always" || (restartPolicy === "OnFailure" && exitCode !== 0);
}

/** Returns the status with the fields that do not depend on the state. */
function statusOf(container: Frozen<Container>, before: StatusView | undefined): StatusView {
  const image = container.image ?? "";
  return { restartCount: 0, ready: false, ...before, name: container.name, image, imageID: image };
}

export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
