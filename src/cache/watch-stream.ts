import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../api/index.ts";
import { type Clock, unreachable } from "../base/index.ts";
import {
  type ApiRequest,
  apiErrorFromStatus,
  type ChangeType,
  ConnectionError,
  Frames,
} from "../transport/index.ts";
import { type BodyConsumer, broken } from "./consume-body.ts";
import type { Entry } from "./entry.ts";
import type { DecodeFailure, EntryReader } from "./entry-reader.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { isOlder, RollbackError } from "./rollback-error.ts";
import { WatchListBuffer } from "./watch-list-buffer.ts";

export interface WatchStreamOptions<T extends KubeObject> {
  readonly request: ApiRequest;
  readonly reader: EntryReader<T>;
  readonly sink: ReflectorSink;
  readonly clock: Clock;
  /** The resource version that the watch was requested from; empty for none. */
  readonly version: string;
  /** Told of the version up to which all there is has been told, where the stream was asked for that. May throw. */
  readonly onListed?: ((version: string, entries: readonly Entry[]) => void) | undefined;
  /** Told when the answer began or bytes came: the lines that they ended. */
  readonly onHeard: (events: number) => void;
}

/** Of a stream that does not come to the end of what there was at its start. */
export const endless = "WATCH_ENDLESS";

/** Bookmarks come about once a minute: longer silence is a dead connection. */
const silenceMs = 70_000;
/** A server that sends initial events has no reason to fall silent. */
const initialSilenceMs = 10_000;
/** Nor to send fewer objects than this in that time: what arrives are events of a server that knows no initial events. */
const fewestAdded = 10;
/** So few events are no sign of that: a slow connection may be all that is wrong. */
const fewestEvents = 3;
/** Changes can hide that the end was never sent. */
const initialMs = 180_000;
/** What comes so soon after another is one of very many, */
const hurriedMs = 0.1;
/** or so soon after several that came together. */
const togetherMs = 5;
/** With more to be delivered than this, no more is read. */
const mostWaiting = 1000;

/** One connection of a watch: tells a sink what comes. */
export class WatchStream<T extends KubeObject> implements BodyConsumer {
  readonly #options: WatchStreamOptions<T>;
  readonly #frames: Frames = new Frames((bytes, start, end) => this.#frame(bytes, start, end));
  /** What there was at the start, until all of it has come; nothing is told before. */
  #initial: WatchListBuffer | undefined;
  /** Since when initial events are counted, and how many of them were objects. */
  #countedSince = { ms: 0, events: 0, added: 0 };
  #version: string | undefined;
  #events = 0;
  /** Those that the last bytes ended. */
  #cameTogether = 0;
  #openedMs: number | undefined;
  #heardMs = 0;
  /** The body is over: a line that breaks off is the connection's fault. */
  #over = false;

  constructor(options: WatchStreamOptions<T>) {
    this.#options = options;
    if (options.onListed) this.#initial = new WatchListBuffer();
  }

  /** How far it was told; `undefined` where nothing was. */
  get version(): string | undefined {
    return this.#version;
  }

  get events(): number {
    return this.#events;
  }

  /** How long it has been open, or `undefined` where it never was. */
  get openMs(): number | undefined {
    return this.#openedMs === undefined ? undefined : this.#options.clock.monotonic() - this.#openedMs;
  }

  /** How long after it was opened something was heard of it. */
  get aliveMs(): number {
    return this.#openedMs === undefined ? 0 : this.#heardMs - this.#openedMs;
  }

  get maxSilenceMs(): number {
    return this.#initial ? initialSilenceMs : silenceMs;
  }

  get full(): boolean {
    return this.#options.sink.backlog > mostWaiting;
  }

  whenReady(run: () => void): void {
    this.#options.sink.whenDrained(run);
  }

  /** Of what follows, a server may have nothing to send: that it began is a sign of life. Of what there is, it has. */
  onOpen(): void {
    this.#openedMs = this.#heardMs = this.#options.clock.monotonic();
    this.#countedSince.ms = this.#openedMs;
    if (!this.#initial) this.#options.onHeard(0);
  }

  take(bytes: Buffer, nowMs: number): void {
    const before = this.#events;
    this.#options.reader.skipCompression = this.#isHurried(nowMs);
    this.#heardMs = nowMs;
    try {
      this.#frames.push(bytes);
    } finally {
      const events = this.#events - before;
      this.#cameTogether = events;
      if (events > 0 && !this.#initial) this.#flush(); // before the end of what there is, nothing was told
      this.#options.onHeard(events);
    }
    if (this.#initial) this.#checkInitial(this.#events - before);
  }

  /**
   * Some servers ignore `sendInitialEvents`, and send what any watch sends. Such a stream is recognised by an event or bookmark that
   * cannot come before the end of the initial events, or by a trickle of events.
   */
  #checkInitial(events: number): void {
    if (events === 0) return;
    const counted = this.#countedSince;
    counted.events += events;
    if (this.aliveMs >= initialMs) throw this.#noInitialEvents(`no end of them within ${initialMs} ms`);
    if (this.#heardMs - counted.ms < initialSilenceMs) return;
    if (counted.events >= fewestEvents && counted.added < fewestAdded) {
      throw this.#noInitialEvents(`${counted.added} objects in ${initialSilenceMs} ms`);
    }
    this.#countedSince = { ms: this.#heardMs, events: 0, added: 0 };
  }

  #noInitialEvents(what: string): Error {
    const { method, path } = this.#options.request;
    const message = `expected the initial events of ${method} ${path}, got ${what}`;
    return new ConnectionError(message, { code: endless, request: this.#options.request });
  }

  /**
   * The body has ended. A line without its end may be a whole one, and is taken if a parser says so; else the
   * connection broke in the middle of it, and this throws.
   */
  end(): void {
    this.#heardMs = this.#options.clock.monotonic();
    this.#over = true;
    try {
      this.#frames.flush();
    } finally {
      this.#flush();
    }
  }

  #flush(): void {
    this.#options.sink.flush();
    this.#options.reader.settle();
  }

  /** Whether what comes is one of very many, by what came just before it. What there was at the start is all there is. */
  #isHurried(nowMs: number): boolean {
    const sinceMs = nowMs - this.#heardMs;
    return !this.#initial && sinceMs < (this.#cameTogether > 1 ? togetherMs : hurriedMs);
  }

  #frame(bytes: Buffer, start: number, end: number): void {
    if (this.#over) this.#checkWhole(bytes.toString("utf8", start, end));
    const frame = this.#options.reader.frame(bytes, start, end);
    this.#events += 1;
    switch (frame.type) {
      case "added":
      case "modified":
      case "deleted":
        return this.#change(frame.type, frame.entry);
      case "bookmark":
        return this.#bookmark(frame.resourceVersion, frame.initialEventsEnd);
      case "error":
        throw apiErrorFromStatus(frame.status, this.#options.request);
      case "undecodable":
        return this.#decodeFailure(frame);
      default:
        return unreachable(frame);
    }
  }

  #checkWhole(text: string): void {
    try {
      JSON.parse(text);
    } catch {
      throw broken(this.#options.request, "a truncated event", "WATCH_BROKEN");
    }
  }

  /** The versions of what there was at the start are in no order: they say nothing of how far it is told. */
  #change(type: ChangeType, entry: Entry): void {
    if (this.#initial) return this.#initialChange(this.#initial, type, entry);
    this.#checkOrder(entry.resourceVersion);
    if (entry.resourceVersion === this.#lastVersion && this.#isRepeated(entry)) return;
    this.#version = entry.resourceVersion;
    this.#options.sink.change(type, entry);
  }

  get #lastVersion(): string {
    return this.#version ?? this.#options.version;
  }

  /** In a watch, resource versions only grow. */
  #checkOrder(version: string): void {
    const last = this.#lastVersion;
    if (!isOlder(version, last)) return;
    const { method, path } = this.#options.request;
    throw new RollbackError(
      `expected resource versions from ${last} on of ${method} ${path}, got ${version}`,
    );
  }

  /** Whether the sink has this version of the object already. Its content has to be the same then. */
  #isRepeated(entry: Entry): boolean {
    const { key, resourceVersion } = entry;
    this.#options.sink.flush(); // it may be in this chunk
    const known = this.#options.reader.known(entry);
    if (!known || known.resourceVersion !== resourceVersion) return false;
    if (known === entry || isDeepStrictEqual(known.parse(), entry.parse())) return true;
    throw new RollbackError(`expected one content of ${key} at resource version ${resourceVersion}, got two`);
  }

  #initialChange(initial: WatchListBuffer, type: ChangeType, entry: Entry): void {
    if (type === "added") this.#countedSince.added += 1;
    else if (!initial.has(entry.key)) throw this.#noInitialEvents(`${entry.key} ${type} before it was added`);
    initial.change(type, entry);
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
    for (const decodeFailure of initial.decodeFailures()) sink.decodeFailure(decodeFailure);
    sink.replace(entries, version);
  }

  /** What changed without saying whose it is leaves everything in doubt, so all is asked for again. */
  #decodeFailure(decodeFailure: DecodeFailure): void {
    const { key } = decodeFailure;
    if (key !== undefined && this.#initial) return this.#initial.decodeFailure(key, decodeFailure);
    this.#options.sink.decodeFailure(decodeFailure);
    if (key === undefined) throw decodeFailure.error;
    this.#version = decodeFailure.resourceVersion ?? this.#version;
  }
}
