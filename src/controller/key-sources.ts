import type { ObjectKey } from "../api/index.ts";
import { type Clock, type Logger, sleep, unlessAborted } from "../base/index.ts";

export interface SourceOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly add: (key: ObjectKey | string) => void;
}

/** Adds the keys that come from elsewhere, until the signal aborts or no more come. */
export async function addAll(keys: AsyncIterable<ObjectKey | string>, options: SourceOptions): Promise<void> {
  const { signal, log, add } = options;
  const source = keys[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(source.next(), signal);
      if (next.done) return;
      add(next.value);
    }
  } catch (error) {
    if (!signal.aborted) log.error("a source of keys failed and is not listened to any more", { error });
    else void source.return?.();
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
