import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Encoding } from "./encoding.ts";
import { EventBatch } from "./event-batch.ts";
import { wallClock } from "./wall-clock.ts";

/** Where the bytes of a watch go. */
export interface Sink {
  /** Whether each event needs an HTTP chunk around it. */
  readonly chunked: boolean;
  /** Whether the client is gone. */
  readonly closed: boolean;
  /** Resolves when the client is gone or the reply has ended. */
  readonly over: Promise<void>;
  /** Resolves when the bytes may be overwritten, also where the other side is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the reply in good order. */
  end(): void;
}

/** Counts resource versions up, for all resources together. */
export interface Versions {
  current: number;
}

export interface StreamOptions {
  readonly events: number;
  /** Events per second, each written on its own; 0 sends as fast as they are taken. */
  readonly perSecond: number;
}

export interface WatchStreamOptions {
  readonly count: number;
  readonly sink: Sink;
  readonly versions: Versions;
  readonly bookmarks: boolean;
}

/** A bookmark comes after this many events, where the client allows bookmarks. */
const bookmarkEvery = 5000;

/** One client's watch of one resource. It is silent until told to send. */
export class WatchStream {
  /** Of how many objects. */
  readonly #count: number;
  readonly #sink: Sink;
  readonly #versions: Versions;
  readonly #bookmarks: boolean;
  /** Two, so that one is filled while the other is on its way. */
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

  /** Every object as an ADDED event, and the bookmark that marks their end where one is wanted. */
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

  /** MODIFIED events on one object after another, round and round. */
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
   * Writes batch after batch while `add` says that there is more. When each was sent is told to the millisecond alone: nobody looks
   * how late they are, and a clock that knows it better takes 8 ms to make, for which whoever is measured would stand still.
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
 * Timers are too coarse for thousands of events a second: the last milliseconds are slept through on this thread. Turning
 * the loop all the while would take a core from whoever is measured.
 *
 * The loop turns after each sleep, so other connections, and streams paced at the same time, wait for one at most.
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
/** Nobody wakes it: a sleep on it ends by its time alone. */
const asleep = new Int32Array(new SharedArrayBuffer(4));
