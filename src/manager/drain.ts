import { type Clock, sleep } from "../base/index.ts";
import { withoutStack } from "./errors.ts";

export interface DrainOptions {
  /** Time to end without cancellation. */
  readonly drainMs: number;
  readonly clock: Clock;
  /** Cancels the work that still runs. */
  readonly cancel: (reason: Error) => void;
  /** Returns the names of running work, for the error message. */
  readonly working: () => readonly string[];
}

/**
 * Waits for work to end. Cancels it after `drainMs`, and throws if it still runs one second later.
 */
export async function drain(over: Promise<unknown>, options: DrainOptions): Promise<void> {
  const { drainMs, clock, cancel, working } = options;
  if (await within(over, drainMs, clock)) return;
  cancel(withoutStack(new Error(`work did not end within ${drainMs} ms`)));
  if (await within(over, cancelMs, clock)) return;
  throw stillRunning(working());
}

/** Returns an error without a stack, which would not show where the work hangs. */
function stillRunning(working: readonly string[]): Error {
  return withoutStack(
    new Error(
      `still running after cancellation: ${working.join(", ")}; ` +
        "pass its signal to everything that it awaits",
    ),
  );
}

/** Time to end after cancellation. */
const cancelMs = 1000;

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
