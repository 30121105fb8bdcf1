import { parseDuration } from "../../api/index.ts";
import type { PodView } from "../pods/pod-state.ts";

/**
 * How the containers of a Pod behave on a simulated node. Every field is also an annotation of the Pod, which wins:
 * `node.trimtab.dev/start-after: 5s`.
 */
export interface PodBehavior {
  /** Time until the containers start. @default 0 */
  readonly startAfterMs?: number | undefined;
  /** Time from the start of a container until it is ready. @default 0 */
  readonly readyAfterMs?: number | undefined;
  /** False for containers that never become ready. @default true */
  readonly ready?: boolean | undefined;
  /** Time from the start of a container until it exits. @default 0 if the Pod is not always restarted, else never */
  readonly runForMs?: number | undefined;
  /** Exit code of containers that exit. @default 0 */
  readonly exitCode?: number | undefined;
  /** Keeps the containers from starting, with this reason: `ImagePullBackOff`. @default the containers start */
  readonly waitingReason?: string | undefined;
  /** Time that containers take to stop, at most the grace period of the Pod. @default 0 */
  readonly stopAfterMs?: number | undefined;
}

const prefix = "node.trimtab.dev/";

/** An annotation that does not have the form that its name requires. */
export class InvalidBehaviorError extends TypeError {
  override readonly name = "InvalidBehaviorError";
}

/** Returns the behavior of a Pod: its annotations, and `given` for the rest. */
export function behaviorOf({ metadata, spec }: PodView, given: PodBehavior = {}): PodBehavior {
  const read = <T>(name: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = metadata.annotations?.[prefix + name];
    return text === undefined ? undefined : parsed(prefix + name, text, parse);
  };
  const runsOnce = spec.restartPolicy === "Never" || spec.restartPolicy === "OnFailure";
  return {
    startAfterMs: read("start-after", durationMs) ?? given.startAfterMs ?? 0,
    readyAfterMs: read("ready-after", durationMs) ?? given.readyAfterMs ?? 0,
    ready: read("ready", truth) ?? given.ready ?? true,
    runForMs: read("run-for", durationMs) ?? given.runForMs ?? (runsOnce ? 0 : undefined),
    exitCode: read("exit-code", exitCode) ?? given.exitCode ?? 0,
    waitingReason: read("waiting-reason", String) ?? given.waitingReason,
    stopAfterMs: read("stop-after", durationMs) ?? given.stopAfterMs ?? 0,
  };
}

function parsed<T>(name: string, text: string, parse: (text: string) => T | undefined): T {
  const value = parse(text);
  if (value !== undefined) return value;
  const expected = expectations.get(parse) ?? "text";
  throw new InvalidBehaviorError(
    `expected annotation ${name} to be ${expected}, got ${JSON.stringify(text)}`,
  );
}

function durationMs(text: string): number | undefined {
  try {
    const ms = parseDuration(text);
    return ms >= 0 ? ms : undefined;
  } catch {
    return undefined; // `parsed` reports the annotation
  }
}

function truth(text: string): boolean | undefined {
  return text === "true" || text === "false" ? text === "true" : undefined;
}

function exitCode(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined;
}

const expectations = new Map<unknown, string>([
  [durationMs, 'a duration like "5s"'],
  [truth, '"true" or "false"'],
  [exitCode, "a number from 0 to 255"],
]);
