import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Encoding } from "./encoding.ts";
import { EventBatch } from "./event-batch.ts";
import { wallClock } from "./wall-clock.ts";

/** Receives the bytes of a watch. */
export interface Sink {
  /** True if each event needs an HTTP chunk. */
  readonly chunked: boolean;
  /** True if the client has disconnected. */
  readonly closed: boolean;
  /** Resolves when the client has disconnected or the response has ended. */
  readonly over: Promise<void>;
  /** Resolves when the bytes may be overwritten, also after a disconnect. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the response gracefully. */
  end(): void;
}

/** The counter of resource versions for all resources. */
export interface Versions {
  current: number;
}

export interface StreamOptions {
  readonly events: number;
  /** Events per second, each written separately; 0 sends as fast as possible. */
  readonly perSecond: number;
}

export interface WatchStreamOptions {
  readonly count: number;
  readonly sink: Sink;
  readonly versions: Versions;
  readonly bookmarks: boolean;
}

/** Number of events between bookmarks, if the client allows bookmarks. */
const bookmarkEvery = 5000;

/** One client's watch of one resource. It sends nothing until requested. */
export class WatchStream {
  /** Number of objects. */
  readonly #count: number;
  readonly #sink: Sink;
  readonly #versions: Versions;
  readonly #bookmarks: boolean;
  /** Two batches: one is filled while the other is being written. */
  readonly #batches: readonly [EventBatch, EventBatch];
  #next = 0;
  #sinceBookmark = 0;

  constructor(encoding: Encoding, options: WatchStreamOptions) {
    this.#count = options.count;
    this.#sink = options.sink;
    this.#versions = options.versions;
    this.#bookmarks = options.bookmarks;
    const { chunked } = options.sink;
    this.#batches = [new EventBatch(encoding, { chunked }), new EventBatch(encoding, { chunked })];
  }

  /** Sends every object as an ADDED event, and the bookmark that marks their end if requested. */
  async sendInitial(options: { readonly markEnd: boolean }): Promise<void> {
    const count = this.#count;
    let turn = 0;
    await this.#pump((batch) => {
      if (turn < count) batch.addInitial(turn);
      else if (options.markEnd) batch.addBookmark(this.#versions.current, { endsInitial: true });
      turn += 1;
      return turn <= count;
    });
  }

  /** Sends MODIFIED events for one object after another, repeatedly. */
  async send(options: StreamOptions): Promise<void> {
    if (options.perSecond > 0) await this.#sendPaced(options);
    else await this.#sendAll(options.events);
  }

  async #sendAll(events: number): Promise<void> {
    let left = events;
    await this.#pump((batch) => {
      this.#addNext(batch);
      left -= 1;
      return left > 0;
    });
  }

  async #sendPaced({ events, perSecond }: StreamOptions): Promise<void> {
    const clock = wallClock();
    const begun = clock();
    const [batch] = this.#batches;
    for (let sent = 0; sent < events && !this.#sink.closed; sent++) {
      await until(clock, begun + (sent * 1e6) / perSecond);
      batch.clear();
      batch.stamp(clock());
      this.#addNext(batch);
      await this.#sink.write(batch.bytes);
    }
  }

  /**
   * Writes batches while `add` returns true. Send times have a resolution of a millisecond: they are not measured here,
   * and a more precise clock takes 8 ms to calibrate, in which the client would wait.
   */
  async #pump(add: (batch: EventBatch) => boolean): Promise<void> {
    let [filling, other] = this.#batches;
    let onItsWay = Promise.resolve();
    for (let more = true; more && !this.#sink.closed; ) {
      filling.clear();
      filling.stamp(Date.now() * 1000);
      while (more && !filling.full) more = add(filling);
      await onItsWay;
      onItsWay = this.#sink.write(filling.bytes);
      [filling, other] = [other, filling];
    }
    await onItsWay;
  }

  #addNext(batch: EventBatch): void {
    this.#versions.current += 1;
    batch.addModified(this.#next, this.#versions.current);
    this.#next = (this.#next + 1) % this.#count;
    this.#sinceBookmark += 1;
    if (!this.#bookmarks || this.#sinceBookmark < bookmarkEvery) return;
    batch.addBookmark(this.#versions.current, { endsInitial: false });
    this.#sinceBookmark = 0;
  }
}

/**
 * Timers are too coarse for thousands of events a second, so this thread sleeps through the last milliseconds. A busy
 * loop would take a core from the measured client.
 * The event loop runs after each sleep, so other connections and paced streams wait for at most one.
 */
async function until(clock: () => number, at: number): Promise<void> {
  for (let left = at - clock(); left > 0; left = at - clock()) {
    if (left > 3000) await delay(left / 1000 - 2);
    else {
      Atomics.wait(asleep, 0, 0, Math.min(left / 1000, longestSleepMs));
      await nextTurn();
    }
  }
}

const longestSleepMs = 0.5;
/** An integer for `Atomics.wait`. It is never notified, so a sleep ends after its time. */
const asleep = new Int32Array(new SharedArrayBuffer(4));
