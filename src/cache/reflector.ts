import type { KubeObject } from "../api/index.ts";
import {
  asError,
  Backoff,
  between,
  type Clock,
  type Logger,
  type Metrics,
  type Rng,
  sleep,
  unlessAborted,
} from "../base/index.ts";
import { type Collection, UnknownKindError } from "../client/index.ts";
import { ApiError, ConnectionError, isNotFound, type Transport } from "../transport/index.ts";
import { consumeBody } from "./consume-body.ts";
import type { Entry } from "./entry.ts";
import type { EntryReader } from "./entry-reader.ts";
import { readList } from "./read-list.ts";
import { ReflectorMeter } from "./reflector-meter.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import {
  initialState,
  type Outcome,
  type ReflectorState,
  type Stream,
  type Transition,
  transition,
} from "./reflector-state.ts";
import { isOlder, RollbackError } from "./rollback-error.ts";
import type { WatchHealth } from "./watch-health.ts";
import { WatchStream } from "./watch-stream.ts";

export type { WatchHealth } from "./watch-health.ts";

/** What reflectors have learned of a server. */
export interface ServerCapabilities {
  /** Whether it is thought to send initial events in a watch (`sendInitialEvents`). */
  streams: boolean;
}

export interface ReflectorOptions<T extends KubeObject> {
  /** Where the objects are. Asked for until it is known, and again when nothing is there any more. */
  readonly collection: (signal: AbortSignal) => Promise<Collection<T>>;
  readonly transport: Transport;
  readonly reader: EntryReader<T>;
  readonly sink: ReflectorSink;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What metrics call it: one of its own in this process. */
  readonly name: string;
  /** What is known of the server. Shared by the reflectors of one server. @default nothing */
  readonly server?: ServerCapabilities | undefined;
  /** Objects in a page of a list. @default 500, and all at once where a version is asked for */
  readonly pageSize?: number | undefined;
  /**
   * Told of each failure, a missing right or kind too, and must not throw. It goes on being tried. Where it gives `true`,
   * it has told people itself.
   */
  readonly onError?: ((error: Error) => unknown) | undefined;
}

/**
 * Tells a sink what is in a collection, and everything that happens to it, for as long as it runs.
 *
 * The first list is consistent, and every later one is at least as new as the last resource version. When the server contradicts
 * what it has sent before (an older bookmark, event or list, one resource version with two contents), as after a restore from a backup,
 * or says that the version cannot be had, a warning is logged and the next list is consistent again: what that shows is what the sink has.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #meter: ReflectorMeter;
  readonly #backoff: Backoff;
  readonly #server: ServerCapabilities;
  #state: ReflectorState;
  #collection: Collection<T> | undefined;
  #phase: WatchHealth["phase"] = "empty";
  #sinceMs: number;
  /** How far the sink was told. */
  #version: string | undefined;
  /** When the server was last heard, and an object or bookmark last came, by the monotonic clock. */
  #heardMs: number | undefined;
  #eventMs: number | undefined;
  #restarts = 0;
  /** Objects of the list that is on its way: none where none is. */
  #coming = 0;
  #lastError: Error | undefined;
  /** When a failure was told to people, by the monotonic clock, until the watch is well again. */
  #brokenSinceMs: number | undefined;

  constructor(options: ReflectorOptions<T>) {
    const { name, metrics, clock, rng } = options;
    this.#options = options;
    this.#meter = new ReflectorMeter(name, metrics, clock);
    this.#backoff = new Backoff({ ...patience, clock, rng });
    this.#server = options.server ?? { streams: true };
    this.#state = initialState({ version: "", streams: this.#server.streams });
    this.#sinceMs = clock.now();
  }

  get health(): WatchHealth {
    return {
      phase: this.#phase,
      sinceMs: this.#sinceMs,
      resourceVersion: this.#version,
      lastHeardMs: this.#wallMs(this.#heardMs),
      silentMs: this.#heardMs === undefined ? undefined : this.#options.clock.monotonic() - this.#heardMs,
      lastEventMs: this.#wallMs(this.#eventMs),
      restarts: this.#restarts,
      lastError: this.#lastError,
    };
  }

  /** How many objects have come of a list that is still on its way. */
  get coming(): number {
    return this.#coming;
  }

  /** Resolves when the signal has aborted, and nothing is under way any more. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const collection = await this.#resolve(signal);
      const outcome = collection && (await this.#attempt(collection, signal));
      if (outcome && !signal.aborted) await this.#turn(transition(this.#state, outcome), signal);
    }
    this.#enter("closed");
    this.#meter.close();
  }

  /** `undefined` where it could not be had, after the wait. */
  async #resolve(signal: AbortSignal): Promise<Collection<T> | undefined> {
    try {
      this.#collection ??= await unlessAborted(this.#options.collection(signal), signal);
      return this.#collection;
    } catch (error) {
      if (signal.aborted) return undefined;
      this.#fail(asError(error));
      await this.#wait(asError(error), signal);
      return undefined;
    }
  }

  #attempt(collection: Collection<T>, signal: AbortSignal): Promise<Outcome> {
    const { phase } = this.#state;
    this.#coming = 0;
    this.#enter(phase === "watching" ? "watching" : "listing");
    return phase === "listing" ? this.#list(collection, signal) : this.#watch(collection, signal);
  }

  async #list(collection: Collection<T>, signal: AbortSignal): Promise<Outcome> {
    const { sink, clock } = this.#options;
    const { version } = this.#state;
    const startMs = clock.monotonic();
    this.#meter.listing();
    try {
      const onHeard = (objects: number): void => {
        this.#coming = objects;
        this.#heard(0);
      };
      const list = await readList({ ...this.#options, collection, signal, version, onHeard });
      this.#checkList(list.resourceVersion, list.entries);
      for (const decodeFailure of list.decodeFailures) sink.decodeFailure(decodeFailure);
      sink.replace(list.entries, list.resourceVersion);
      sink.flush();
      this.#version = list.resourceVersion;
      this.#coming = 0;
      this.#meter.listed(list.entries.length, clock.monotonic() - startMs);
      return { type: "listed", version: list.resourceVersion };
    } catch (error) {
      return { type: "failed", error: asError(error) };
    } finally {
      this.#options.reader.settle();
    }
  }

  async #watch(collection: Collection<T>, signal: AbortSignal): Promise<Outcome> {
    const { transport, clock } = this.#options;
    const request = collection.watchRequest(this.#watchQuery());
    const stream = new WatchStream({
      ...this.#options,
      request,
      version: this.#state.phase === "streaming" ? "" : this.#state.version,
      onListed: this.#state.phase === "streaming" ? this.#onListed() : undefined,
      onHeard: (events) => {
        this.#version = stream.version ?? this.#version;
        if (this.#phase === "listing") this.#coming += events;
        this.#heard(events);
      },
    });
    this.#meter.watching();
    try {
      await consumeBody({ transport, clock, request, signal }, stream);
      stream.end();
      return { type: "ended", ...this.#ended(stream) };
    } catch (error) {
      return { type: "failed", error: asError(error), ...this.#ended(stream) };
    } finally {
      this.#options.reader.settle();
    }
  }

  #watchQuery(): Record<string, string | number | boolean> {
    const { version, phase } = this.#state;
    const timeoutSeconds = Math.round(between(this.#options.rng, 300, 600));
    const query = { resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds };
    if (phase !== "streaming") return query;
    return { ...query, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  }

  /** The same connection goes on as the watch. */
  #onListed(): (version: string, entries: readonly Entry[]) => void {
    const startMs = this.#options.clock.monotonic();
    this.#meter.listing();
    return (version, entries) => {
      this.#checkList(version, entries);
      this.#meter.listed(entries.length, this.#options.clock.monotonic() - startMs);
      this.#state = transition(this.#state, { type: "listed", version }).next;
      this.#enter("watching");
      this.#coming = 0;
    };
  }

  /**
   * Rejects a list that contradicts what the server has sent before, unless it is a consistent one: that is what the server has now,
   * and the cache follows it. Either way there is a warning.
   */
  #checkList(version: string, entries: readonly Entry[]): void {
    const { log } = this.#options;
    const { version: asked } = this.#state;
    const last = this.#version ?? "";
    const contradicted = this.#contradicted(entries);
    const back = isOlder(version, last);
    if (!back && !contradicted) return;
    const what = back ? `one of version ${version}` : `another ${contradicted}`;
    if (asked !== "") throw new RollbackError(`expected a list not older than version ${last}, got ${what}`);
    if (!back) log.warn("list contradicts earlier resource versions", { key: contradicted }); // the informer reports the rest
  }

  /** The key of a listed object that is older than the known one, or has another content in the same version. */
  #contradicted(entries: readonly Entry[]): string | undefined {
    const { reader } = this.#options;
    const contradicts = (entry: Entry): boolean => {
      const known = reader.known(entry);
      if (!known || known === entry) return false;
      const { resourceVersion } = known;
      return resourceVersion === entry.resourceVersion || isOlder(entry.resourceVersion, resourceVersion);
    };
    return entries.find(contradicts)?.key;
  }

  /** Only a watch that was alive for a while is health: it makes waiting begin anew. */
  #ended({ version, openMs, aliveMs, events }: WatchStream<T>): Stream {
    if (openMs !== undefined) this.#meter.watched(events, openMs);
    if (aliveMs >= healthyMs) this.#backoff.reset();
    return { version, openMs, events };
  }

  async #turn(turn: Transition, signal: AbortSignal): Promise<void> {
    const { why, error, wait, next } = turn;
    if (next.streams !== this.#state.streams) this.#server.streams = next.streams;
    const known = next.phase === "streaming" && !this.#server.streams;
    this.#state = known ? initialState({ ...next, streams: false }) : next;
    if (why === "listed") return;
    this.#restarts += 1;
    this.#meter.restart(why);
    this.#options.log.debug("watch begins anew", {
      why,
      phase: this.#state.phase,
      resourceVersion: next.version,
    });
    if (error) this.#fail(error);
    if (wait) await this.#wait(error, signal);
  }

  #fail(error: Error): void {
    const { onError, log, clock } = this.#options;
    if (isNotFound(error)) this.#collection = undefined;
    const still = this.#lastError !== undefined && sameCause(error, this.#lastError);
    this.#lastError = error;
    const told = onError?.(error) === true;
    if (still || told) return log.debug(still ? "watch fails still" : "watch failed", saying(error));
    log.warn("watch failed", saying(error));
    this.#brokenSinceMs ??= clock.monotonic();
  }

  /** A list that came is not enough: what is watched by lists alone is broken still. */
  #isWell(): void {
    if (this.#brokenSinceMs === undefined) return;
    const { log, clock } = this.#options;
    const awayMs = Math.round(clock.monotonic() - this.#brokenSinceMs);
    log.info("watch is well again", { awayMs });
    this.#brokenSinceMs = undefined;
  }

  async #wait(error: Error | undefined, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    this.#enter("waiting");
    await sleep(Math.max(this.#backoff.next(), askedMs), { clock, signal }).catch(() => {}); // aborted: run ends
  }

  #enter(phase: WatchHealth["phase"]): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#sinceMs = this.#options.clock.now();
    this.#meter.phase(phase);
  }

  #heard(events: number): void {
    const nowMs = this.#options.clock.monotonic();
    this.#heardMs = nowMs;
    this.#lastError = undefined;
    if (this.#phase === "watching") this.#isWell();
    this.#meter.heard(nowMs);
    if (events === 0) return;
    this.#eventMs = nowMs;
    this.#meter.event(nowMs);
  }

  /** @param ms a time of the monotonic clock */
  #wallMs(ms: number | undefined): number | undefined {
    const { clock } = this.#options;
    return ms === undefined ? undefined : Math.round(clock.now() - (clock.monotonic() - ms));
  }
}

const patience = { initialMs: 800, maxMs: 30_000, jitter: 1 };
/** So long a watch has to be alive to count as healthy. */
const healthyMs = 60_000;

/** What is wrong for long is told once, until the server is heard again. */
function sameCause(a: Error, b: Error): boolean {
  return a.name === b.name && codeOf(a) === codeOf(b);
}

function codeOf(error: Error): unknown {
  return error instanceof ApiError || error instanceof ConnectionError ? error.code : error.message;
}

/** What comes from outside needs no stack. */
function saying(error: Error): { readonly error: unknown } {
  const outside =
    error instanceof ApiError || error instanceof ConnectionError || error instanceof UnknownKindError;
  return { error: outside ? error.message : error };
}
