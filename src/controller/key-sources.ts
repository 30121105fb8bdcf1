import type { ObjectKey } from "../api/index.ts";
import { type Clock, type Logger, sleep, unlessAborted } from "../base/index.ts";

export interface SourceOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  readonly add: (key: ObjectKey | string) => void;
  /** How many keys are in line. */
  readonly waiting: () => number;
}

/**
 * Adds the keys that come from elsewhere, until the signal aborts or no more come. A source is asked for more when there is
 * room in line, so that one without end fills neither the memory nor all the time there is.
 */
export async function addAll(keys: AsyncIterable<ObjectKey | string>, options: SourceOptions): Promise<void> {
  const { signal, log, add, clock } = options;
  const source = keys[Symbol.asyncIterator]();
  let turnedMs = clock.monotonic();
  try {
    for (let taken = 1; ; taken++) {
      const next = await unlessAborted(source.next(), signal);
      if (next.done) return;
      add(next.value);
      if (taken % burst !== 0 && clock.monotonic() - turnedMs < turnMs) continue;
      await room(options);
      turnedMs = clock.monotonic();
    }
  } catch (error) {
    if (!signal.aborted) log.error("a source of keys failed and is not listened to any more", { error });
    else void leave(source);
  }
}

/** So many keys are taken at once, and so many may be in line before another is asked for. */
const [burst, mostWaiting] = [1000, 10_000];
/** So long, at most, others wait for a turn, where a key is reconciled as soon as it has come and nothing waits for anything. */
const turnMs = 50;

async function room({ waiting, clock, signal }: SourceOptions): Promise<void> {
  await sleep(0, { clock, signal }); // others have a turn
  while (waiting() > mostWaiting) await sleep(10, { clock, signal });
}

async function leave(source: AsyncIterator<unknown>): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // it was told that nobody listens any more: what it says to that, nobody hears
  }
}

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly add: (key: string) => void;
}

/** Adds every key again and again, until the signal aborts. */
export async function addEvery(
  everyMs: number,
  keys: () => Iterable<string>,
  { signal, clock, add }: PollOptions,
): Promise<void> {
  try {
    for (;;) {
      await sleep(everyMs, { clock, signal });
      for (const key of keys()) add(key);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
