import { type Clock, sleep } from "../base/index.ts";
import { withoutStack } from "./user-facing-error.ts";

export interface DrainOptions {
  /** How long it may take by itself. */
  readonly drainMs: number;
  readonly clock: Clock;
  /** Tells what still runs to end at once. */
  readonly cancel: (reason: Error) => void;
  /** What runs now, for the message. */
  readonly working: () => readonly string[];
}

/**
 * Waits for an end; after `drainMs` tells what still runs to end, and waits a moment more. Throws where that did not help:
 * it is left behind.
 */
export async function drain(over: Promise<unknown>, options: DrainOptions): Promise<void> {
  const { drainMs, clock, cancel, working } = options;
  if (await within(over, drainMs, clock)) return;
  cancel(withoutStack(new Error(`expected work to end within ${drainMs} ms, got some that did not`)));
  if (await within(over, lastMs, clock)) return;
  throw leftBehind(working());
}

/** A stack of ours would not show where it hangs. */
function leftBehind(working: readonly string[]): Error {
  return withoutStack(
    new Error(
      `expected work to end when told to, got ${working.join(", ")} still running; ` +
        "hand the signal it is given to whatever it waits for",
    ),
  );
}

/** Who was told to end and does not in this time is left behind. */
const lastMs = 1000;

async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const late = new AbortController();
  const timeout = sleep(ms, { clock, signal: late.signal }).then(
    () => false,
    () => true,
  );
  const ended = work.then(
    () => true,
    () => true,
  );
  const done = await Promise.race([ended, timeout]);
  late.abort();
  return done;
}
