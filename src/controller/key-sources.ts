import type { ObjectKey } from "../api/index.ts";
import { type Clock, sleep, TimeSlice, unlessAborted } from "../base/index.ts";

export interface SourceOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly add: (key: ObjectKey | string) => void;
  /** Number of queued keys. */
  readonly waiting: () => number;
}

/**
 * Adds the keys of a source until it ends or the signal aborts. Rejects with the failure of the source, or of `add`.
 * Reads more keys only when the queue has room, so that an endless source exhausts neither the memory nor the event
 * loop.
 */
export async function addAll(keys: AsyncIterable<ObjectKey | string>, options: SourceOptions): Promise<void> {
  const { signal, add, clock } = options;
  const source = keys[Symbol.asyncIterator]();
  let pausedMs = clock.monotonic();
  let pulling = false;
  try {
    for (let taken = 1; ; taken++) {
      pulling = true;
      const next = await unlessAborted(source.next(), signal);
      pulling = false;
      if (next.done) return;
      add(next.value);
      if (taken % burst !== 0 && clock.monotonic() - pausedMs < pauseEveryMs) continue;
      await queueHasRoom(options);
      pausedMs = clock.monotonic();
    }
  } catch (error) {
    if (!pulling || signal.aborted) void close(source); // a source that failed by itself has ended
    throw error;
  }
}

/** Number of keys that are read without a pause. */
const burst = 1000;
/** No key is read while more keys than this are queued. */
const maxWaiting = 10_000;
/** Pause at least this often for timers and the network, if the source never waits. */
const pauseEveryMs = 50;

async function queueHasRoom({ waiting, clock, signal }: SourceOptions): Promise<void> {
  await sleep(0, { clock, signal }); // lets timers and the network run
  while (waiting() > maxWaiting) await sleep(10, { clock, signal });
}

async function close(source: AsyncIterator<unknown>): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // The source is no longer read, so its failure has no effect.
  }
}

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly add: (key: string) => void;
}

/**
 * Adds every key once per interval, until the signal aborts. Pauses every 10 ms to let other work of the process run.
 */
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
