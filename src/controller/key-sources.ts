import type { ObjectKey } from "../api/index.ts";
import { type Clock, sleep, TimeSlice, unlessAborted } from "../base/index.ts";

export interface SourceOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly add: (key: ObjectKey | string) => void;
  /** How many keys are in line. */
  readonly waiting: () => number;
}

/**
 * Adds the keys of a source until it ends or the signal aborts. Rejects with the failure of the source, or of `add`. A source
 * is asked for more keys when the queue has room, so that an endless one fills neither the memory nor the event loop.
 */
export async function addAll(keys: AsyncIterable<ObjectKey | string>, options: SourceOptions): Promise<void> {
  const { signal, add, clock } = options;
  const source = keys[Symbol.asyncIterator]();
  let turnedMs = clock.monotonic();
  let pulling = false;
  try {
    for (let taken = 1; ; taken++) {
      pulling = true;
      const next = await unlessAborted(source.next(), signal);
      pulling = false;
      if (next.done) return;
      add(next.value);
      if (taken % burst !== 0 && clock.monotonic() - turnedMs < turnMs) continue;
      await room(options);
      turnedMs = clock.monotonic();
    }
  } catch (error) {
    if (!pulling || signal.aborted) void leave(source); // a source that failed by itself has ended
    throw error;
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
    // the source is no longer read, so its failure changes nothing
  }
}

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly add: (key: string) => void;
}

/** Adds every key again and again, until the signal aborts. Lets other work of the process run every 10 ms. */
export async function addEvery(
  everyMs: number,
  keys: () => Iterable<string>,
  { signal, clock, add }: PollOptions,
): Promise<void> {
  try {
    for (;;) {
      await sleep(everyMs, { clock, signal });
      await addInSlices(keys(), { signal, clock, add });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function addInSlices(keys: Iterable<string>, { signal, clock, add }: PollOptions): Promise<void> {
  const slice = new TimeSlice(clock);
  for (const key of keys) {
    add(key);
    if (!slice.over) continue;
    await slice.pause();
    signal.throwIfAborted();
  }
}
