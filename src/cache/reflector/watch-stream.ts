import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../api/index.ts";
import { type Clock, unreachable } from "../../base/index.ts";
import {
  type ApiRequest,
  apiErrorFromStatus,
  type BodyConsumer,
  ConnectionError,
  maxSilenceMs,
  WatchFrames,
} from "../../transport/index.ts";
import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import type { DecodeFailure, EntryReader } from "../objects/entry-reader.ts";
import { isOlder } from "../objects/is-older.ts";
import type { EntrySink } from "./entry-sink.ts";
import { RollbackError } from "./rollback-error.ts";
import { WatchListBuffer } from "./watch-list-buffer.ts";

export interface WatchStreamOptions<T extends KubeObject> {
  readonly request: ApiRequest;
  readonly reader: EntryReader<T>;
  readonly sink: EntrySink;
  readonly clock: Clock;
  /** The resource version that the watch was requested from; empty for none. */
  readonly version: string;
  /** Called at the end of the initial events, if they were requested, before they reach the sink. May throw. */
  readonly onListed?: ((version: string, entries: readonly Entry[]) => void) | undefined;
  /** Called when the response has begun or bytes have arrived, with the number of events that they completed. */
  readonly onReceived: (events: number) => void;
}

/** Code of the `ConnectionError` for a stream that does not send the initial events, or does not end them. */
export const watchEndless = "WATCH_ENDLESS";

/** A server that sends initial events has no reason to pause for longer. */
const maxInitialSilenceMs = 10_000;
/**
 * Objects that it sends at least in that time. A server that ignores `sendInitialEvents` sends only changes, which are
 * fewer.
 */
const minAdded = 10;
/** With fewer events than this, the connection may just be slow. */
const minEvents = 3;
/** Limit for all initial events. Many changes can hide that the server never ends them. */
const maxInitialMs = 180_000;
/** Under load, events are not compressed: if bytes arrive this soon after the last ones, */
const loadGapMs = 0.1;
/** or this soon after bytes that contained several events. */
const loadGapAfterSeveralMs = 5;
/** Reading stops while more changes than this wait for a handler. */
const maxBacklog = 1000;

/**
 * One connection of a watch. Passes its events to a sink.
 *
 * With `onListed` it is a streaming list: the initial events are buffered until the bookmark that ends them, and reach
 * the sink as one `replace`. The connection then continues as an ordinary watch.
 */
export class WatchStream<T extends KubeObject> implements BodyConsumer {
  readonly #options: WatchStreamOptions<T>;
  readonly #frames: WatchFrames;
  /** The initial events until they are complete. Nothing reaches the sink before. */
  #initial: WatchListBuffer | undefined;
  /** Counts initial events since a monotonic time, to recognise a server that does not send them. */
  #initialRate = { sinceMs: 0, events: 0, added: 0 };
  #version: string | undefined;
  #events = 0;
  /** Events that the last bytes completed. */
  #lastEvents = 0;

  constructor(options: WatchStreamOptions<T>) {
    this.#options = options;
    this.#frames = new WatchFrames(options.request, (bytes, start, end) => this.#frame(bytes, start, end));
    if (options.onListed) this.#initial = new WatchListBuffer();
  }

  /** Resource version up to which the sink has everything; `undefined` if this stream has sent none. */
  get version(): string | undefined {
    return this.#version;
  }

  get events(): number {
    return this.#events;
  }

  /** Milliseconds since the response began; `undefined` if it never did. */
  get openMs(): number | undefined {
    const { openedMs } = this.#frames;
    return openedMs === undefined ? undefined : this.#options.clock.monotonic() - openedMs;
  }

  /** Milliseconds from the start of the response to the last bytes. */
  get aliveMs(): number {
    return this.#frames.aliveMs;
  }

  get maxSilenceMs(): number {
    return this.#initial ? maxInitialSilenceMs : maxSilenceMs;
  }

  get full(): boolean {
    return this.#options.sink.backlog > maxBacklog;
  }

  whenReady(run: () => void): void {
    this.#options.sink.whenDrained(run);
  }

  /**
   * The head of a watch proves that the server is alive, because it may have no events. Initial events it must send.
   */
  onOpen(): void {
    const nowMs = this.#options.clock.monotonic();
    this.#frames.open(nowMs);
    this.#initialRate.sinceMs = nowMs;
    if (!this.#initial) this.#options.onReceived(0);
  }

  consume(bytes: Buffer, nowMs: number): void {
    const before = this.#events;
    this.#options.reader.skipCompression = this.#isUnderLoad(nowMs);
    try {
      this.#frames.push(bytes, nowMs);
    } finally {
      const events = this.#events - before;
      this.#lastEvents = events;
      if (events > 0 && !this.#initial) this.#flush(); // initial events are still in the buffer
      this.#options.onReceived(events);
    }
    if (this.#initial) this.#checkInitial(this.#events - before);
  }

  /**
   * Some servers ignore `sendInitialEvents` and start an ordinary watch. Such a stream is recognised by an event or
   * bookmark that cannot come before the end of the initial events, or here, by a low rate of added objects.
   */
  #checkInitial(events: number): void {
    if (events === 0) return;
    const rate = this.#initialRate;
    rate.events += events;
    if (this.aliveMs >= maxInitialMs) throw this.#noInitialEvents(`no end of them within ${maxInitialMs} ms`);
    const { receivedMs } = this.#frames;
    if (receivedMs - rate.sinceMs < maxInitialSilenceMs) return;
    if (rate.events >= minEvents && rate.added < minAdded) {
      throw this.#noInitialEvents(`${rate.added} objects in ${maxInitialSilenceMs} ms`);
    }
    this.#initialRate = { sinceMs: receivedMs, events: 0, added: 0 };
  }

  #noInitialEvents(got: string): Error {
    const { method, path } = this.#options.request;
    const message = `expected the initial events of ${method} ${path}, got ${got}`;
    return new ConnectionError(message, { code: watchEndless, request: this.#options.request });
  }

  onEnd(): void {
    try {
      this.#frames.end(this.#options.clock.monotonic());
    } finally {
      this.#flush();
    }
  }

  #flush(): void {
    this.#options.sink.flush();
    this.#options.reader.settle();
  }

  /**
   * Returns true if events arrive faster than compressing them is worth. Initial events are always compressed: they are
   * most of the cache.
   */
  #isUnderLoad(nowMs: number): boolean {
    const sinceMs = nowMs - this.#frames.receivedMs;
    return !this.#initial && sinceMs < (this.#lastEvents > 1 ? loadGapAfterSeveralMs : loadGapMs);
  }

  #frame(bytes: Buffer, start: number, end: number): void {
    const frame = this.#options.reader.frame(bytes, start, end);
    this.#events += 1;
    switch (frame.type) {
      case "added":
      case "updated":
      case "deleted":
        return this.#change(frame);
      case "bookmark":
        return this.#bookmark(frame.resourceVersion, frame.initialEventsEnd);
      case "error":
        throw apiErrorFromStatus(frame.status, this.#options.request);
      case "undecodable":
        return this.#decodeFailed(frame);
      default:
        return unreachable(frame);
    }
  }

  /** Initial events are not ordered by resource version, so only later changes set `#version`. */
  #change(delta: WatchDelta): void {
    const { entry } = delta;
    if (this.#initial) return this.#initialChange(this.#initial, delta);
    this.#checkOrder(entry.resourceVersion);
    if (entry.resourceVersion === this.#lastVersion && this.#isRepeated(entry)) return;
    this.#version = entry.resourceVersion;
    this.#options.sink.change(delta);
  }

  get #lastVersion(): string {
    return this.#version ?? this.#options.version;
  }

  /** Throws if a resource version of the watch is older than the last one. */
  #checkOrder(version: string): void {
    const last = this.#lastVersion;
    if (!isOlder(version, last)) return;
    const { method, path } = this.#options.request;
    throw new RollbackError(
      `expected resource versions from ${last} on of ${method} ${path}, got ${version}`,
    );
  }

  /** Returns true if the sink has this version of the object already. Throws if its content is different. */
  #isRepeated(entry: Entry): boolean {
    const { key, resourceVersion } = entry;
    this.#options.sink.flush(); // the same version may be in this chunk
    const stored = this.#options.reader.stored(entry);
    if (!stored || stored.resourceVersion !== resourceVersion) return false;
    if (stored === entry || isDeepStrictEqual(stored.parse(), entry.parse())) return true;
    throw new RollbackError(`expected one content of ${key} at resource version ${resourceVersion}, got two`);
  }

  #initialChange(initial: WatchListBuffer, delta: WatchDelta): void {
    const { type, entry } = delta;
    if (type === "added") this.#initialRate.added += 1;
    else if (!initial.has(entry.key)) throw this.#noInitialEvents(`${entry.key} ${type} before it was added`);
    initial.change(delta);
  }

  #bookmark(version: string, initialEventsEnd: boolean): void {
    if (this.#initial && !initialEventsEnd) throw this.#noInitialEvents("a bookmark before their end");
    if (!this.#initial) this.#checkOrder(version);
    if (this.#initial) this.#listed(this.#initial, version);
    else this.#options.sink.bookmark(version);
    this.#version = version;
  }

  #listed(initial: WatchListBuffer, version: string): void {
    const { sink, onListed } = this.#options;
    const entries = initial.entries();
    onListed?.(version, entries);
    this.#initial = undefined;
    for (const failure of initial.decodeFailures()) sink.decodeFailed(failure);
    sink.replace(entries, version);
  }

  /** Throws for an event without a key: any object may have changed, so the reflector has to list again. */
  #decodeFailed(failure: DecodeFailure): void {
    const { key } = failure;
    if (key !== undefined && this.#initial) return this.#initial.decodeFailed(key, failure);
    this.#options.sink.decodeFailed(failure);
    if (key === undefined) throw failure.error;
    this.#version = failure.resourceVersion ?? this.#version;
  }
}
