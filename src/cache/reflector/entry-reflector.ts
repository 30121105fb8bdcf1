import type { KubeObject } from "../../api/index.ts";
import { asError, type Clock, type Logger, type Metrics, type Rng, unlessAborted } from "../../base/index.ts";
import { type Collection, type Query, UnknownKindError } from "../../client/index.ts";
import {
  ApiError,
  ConnectionError,
  consumeBody,
  isNotFound,
  type Transport,
  WatchBackoff,
  watchQuery,
} from "../../transport/index.ts";
import type { Entry } from "../objects/entry.ts";
import type { EntryReader } from "../objects/entry-reader.ts";
import { isOlder } from "../objects/is-older.ts";
import type { EntrySink } from "./entry-sink.ts";
import { readList } from "./read-list.ts";
import { ReflectorMeter } from "./reflector-meter.ts";
import {
  initialState,
  type Outcome,
  type ReflectorState,
  type StreamSummary,
  type Transition,
  transition,
} from "./reflector-state.ts";
import { RollbackError } from "./rollback-error.ts";
import type { WatchHealth } from "./watch-health.ts";
import { WatchStream } from "./watch-stream.ts";

export type { WatchHealth } from "./watch-health.ts";

/** Capabilities of a server, as its reflectors have learned them. */
export interface ServerCapabilities {
  /** True if the server is assumed to support streaming lists (`sendInitialEvents`). */
  streamingLists: boolean;
}

export interface EntryReflectorOptions<T extends KubeObject> {
  /**
   * Resolves the collection to watch. Called at the start, and again after a 404, because a CRD may have been
   * recreated.
   */
  readonly collection: (signal: AbortSignal) => Promise<Collection<T>>;
  readonly transport: Transport;
  readonly reader: EntryReader<T>;
  /** Receives the list and every later change. */
  readonly sink: EntrySink;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Identifies this reflector in metrics; unique in the process. */
  readonly name: string;
  /** Shared by all reflectors of one server, so that one of them learns for all. @default its own */
  readonly server?: ServerCapabilities | undefined;
  /** Objects per page of a list. @default 500; unpaged if a resource version is requested */
  readonly pageSize?: number | undefined;
  /**
   * Called for every failure, including missing permissions and unknown kinds. Must not throw. The reflector keeps
   * retrying.
   *
   * @returns `true` if the failure was reported to the user, so that the reflector does not log a warning
   */
  readonly onError?: ((error: Error) => unknown) | undefined;
}

/**
 * Mirrors a collection into a sink: lists it, then watches it, until it is aborted.
 *
 * The sink does not go back in time. The first list is consistent (a quorum read), and every relist is at least as new
 * as the last resource version. There is one exception: the server contradicts what it has sent before (an older
 * bookmark, event or list, or one resource version with two contents), or does not have the version any more, as after
 * a restore of etcd. Then the reflector logs a warning, requests a consistent list, and the sink follows it.
 *
 * `reflector-state.ts` decides what to request next; this class performs it.
 */
export class EntryReflector<T extends KubeObject> {
  readonly #options: EntryReflectorOptions<T>;
  readonly #meter: ReflectorMeter;
  readonly #backoff: WatchBackoff;
  readonly #server: ServerCapabilities;
  #state: ReflectorState;
  #collection: Collection<T> | undefined;
  #phase: WatchHealth["phase"] = "empty";
  #sinceMs: number;
  /** Resource version up to which the sink is current. */
  #version: string | undefined;
  /** Monotonic times of the last bytes, and of the last event or bookmark. */
  #receivedMs: number | undefined;
  #eventMs: number | undefined;
  #restarts = 0;
  /** Objects received so far of the list in progress; 0 if there is no list. */
  #listed = 0;
  #lastError: Error | undefined;
  /** Monotonic time of the first failure that was logged; `undefined` once the watch has recovered. */
  #failingSinceMs: number | undefined;

  constructor(options: EntryReflectorOptions<T>) {
    const { name, metrics, clock, rng } = options;
    this.#options = options;
    this.#meter = new ReflectorMeter(name, metrics, clock);
    this.#backoff = new WatchBackoff({ clock, rng });
    this.#server = options.server ?? { streamingLists: true };
    this.#state = initialState({ version: "", streamingLists: this.#server.streamingLists });
    this.#sinceMs = clock.now();
  }

  get health(): WatchHealth {
    return {
      phase: this.#phase,
      sinceMs: this.#sinceMs,
      resourceVersion: this.#version,
      lastHeardMs: this.#wallMs(this.#receivedMs),
      silentMs:
        this.#receivedMs === undefined ? undefined : this.#options.clock.monotonic() - this.#receivedMs,
      lastEventMs: this.#wallMs(this.#eventMs),
      restarts: this.#restarts,
      lastError: this.#lastError,
    };
  }

  /** Objects received so far of the list in progress; 0 if there is no list. */
  get listed(): number {
    return this.#listed;
  }

  /** Runs until the signal aborts and all requests have ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const collection = await this.#resolve(signal);
      const outcome = collection && (await this.#attempt(collection, signal));
      if (outcome && !signal.aborted) await this.#apply(transition(this.#state, outcome), signal);
    }
    this.#enter("closed");
    this.#meter.close();
  }

  /** Returns the collection, or `undefined` after a failure and the backoff for it. */
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
    this.#listed = 0;
    this.#enter(phase === "watching" ? "watching" : "listing");
    return phase === "listing" ? this.#list(collection, signal) : this.#watch(collection, signal);
  }

  async #list(collection: Collection<T>, signal: AbortSignal): Promise<Outcome> {
    const { sink, clock } = this.#options;
    const { version } = this.#state;
    const startMs = clock.monotonic();
    this.#meter.listing();
    try {
      const onReceived = (objects: number): void => {
        this.#listed = objects;
        this.#received(0);
      };
      const list = await readList({ ...this.#options, collection, signal, version, onReceived });
      this.#checkList(list.resourceVersion, list.entries);
      for (const failure of list.decodeFailures) sink.decodeFailed(failure);
      sink.replace(list.entries, list.resourceVersion);
      sink.flush();
      this.#version = list.resourceVersion;
      this.#listed = 0;
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
      onReceived: (events) => {
        this.#version = stream.version ?? this.#version;
        if (this.#phase === "listing") this.#listed += events;
        this.#received(events);
      },
    });
    this.#meter.watching();
    try {
      await consumeBody({ transport, clock, request, signal }, stream);
      return { type: "ended", ...this.#summarize(stream) };
    } catch (error) {
      return { type: "failed", error: asError(error), ...this.#summarize(stream) };
    } finally {
      this.#options.reader.settle();
    }
  }

  #watchQuery(): Query {
    const { version, phase } = this.#state;
    const query = watchQuery(version, this.#options.rng);
    if (phase !== "streaming") return query;
    return { ...query, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  }

  /** Returns the callback for the end of a streaming list. The same connection continues as the watch. */
  #onListed(): (version: string, entries: readonly Entry[]) => void {
    const startMs = this.#options.clock.monotonic();
    this.#meter.listing();
    return (version, entries) => {
      this.#checkList(version, entries);
      this.#meter.listed(entries.length, this.#options.clock.monotonic() - startMs);
      this.#state = transition(this.#state, { type: "listed", version }).next;
      this.#enter("watching");
      this.#listed = 0;
    };
  }

  /**
   * Throws for a list that contradicts what the server has sent before. A consistent list is accepted nevertheless,
   * because it shows the current state. Either way a warning is logged.
   */
  #checkList(version: string, entries: readonly Entry[]): void {
    const { log } = this.#options;
    const { version: requested } = this.#state;
    const last = this.#version ?? "";
    const contradicted = this.#contradicted(entries);
    const older = isOlder(version, last);
    if (!older && !contradicted) return;
    if (requested !== "") {
      const got = older ? `one of version ${version}` : `another ${contradicted}`;
      throw new RollbackError(`expected a list not older than version ${last}, got ${got}`);
    }
    if (!older) log.warn("list contradicts earlier resource versions", { key: contradicted }); // the informer logs the other case
  }

  /**
   * Returns the key of a listed object that is older than the stored one, or has the same version and another content.
   */
  #contradicted(entries: readonly Entry[]): string | undefined {
    const { reader } = this.#options;
    const contradicts = (entry: Entry): boolean => {
      const stored = reader.stored(entry);
      if (!stored || stored === entry) return false; // the reader returns the stored entry for the same content
      const { resourceVersion } = stored;
      return resourceVersion === entry.resourceVersion || isOlder(entry.resourceVersion, resourceVersion);
    };
    return entries.find(contradicts)?.key;
  }

  /** Records a stream that has ended. */
  #summarize({ version, openMs, aliveMs, events }: WatchStream<T>): StreamSummary {
    if (openMs !== undefined) this.#meter.watched(events, openMs);
    this.#backoff.ended(aliveMs);
    return { version, openMs, events };
  }

  async #apply({ reason, error, wait, next }: Transition, signal: AbortSignal): Promise<void> {
    if (next.streamingLists !== this.#state.streamingLists) this.#server.streamingLists = next.streamingLists;
    const unsupported = next.phase === "streaming" && !this.#server.streamingLists; // another reflector found out
    this.#state = unsupported ? initialState({ ...next, streamingLists: false }) : next;
    if (reason === "listed") return;
    this.#restarts += 1;
    this.#meter.restart(reason);
    this.#options.log.debug("watch restarted", {
      reason,
      phase: this.#state.phase,
      resourceVersion: next.version,
    });
    if (error) this.#fail(error);
    if (wait) await this.#wait(error, signal);
  }

  #fail(error: Error): void {
    const { onError, log, clock } = this.#options;
    if (isNotFound(error)) this.#collection = undefined;
    const repeated = this.#lastError !== undefined && isSameCause(error, this.#lastError);
    this.#lastError = error;
    const reported = onError?.(error) === true;
    if (repeated || reported)
      return log.debug(repeated ? "watch still failing" : "watch failed", errorField(error));
    log.warn("watch failed", errorField(error));
    this.#failingSinceMs ??= clock.monotonic();
  }

  /** Logs the recovery. Only the watch counts: a list that succeeds does not mean that the watch does. */
  #recovered(): void {
    if (this.#failingSinceMs === undefined) return;
    const { log, clock } = this.#options;
    const downMs = Math.round(clock.monotonic() - this.#failingSinceMs);
    log.info("watch recovered", { downMs });
    this.#failingSinceMs = undefined;
  }

  async #wait(error: Error | undefined, signal: AbortSignal): Promise<void> {
    this.#enter("waiting");
    await this.#backoff.wait(error, signal).catch(() => {}); // aborted: run ends
  }

  #enter(phase: WatchHealth["phase"]): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#sinceMs = this.#options.clock.now();
    this.#meter.phase(phase);
  }

  #received(events: number): void {
    const nowMs = this.#options.clock.monotonic();
    this.#receivedMs = nowMs;
    this.#lastError = undefined;
    if (this.#phase === "watching") this.#recovered();
    this.#meter.received(nowMs);
    if (events === 0) return;
    this.#eventMs = nowMs;
    this.#meter.event(nowMs);
  }

  /** Converts a monotonic time to wall time. */
  #wallMs(ms: number | undefined): number | undefined {
    const { clock } = this.#options;
    return ms === undefined ? undefined : Math.round(clock.now() - (clock.monotonic() - ms));
  }
}

/** Returns true for errors of the same cause. A lasting failure is logged once, until bytes arrive again. */
function isSameCause(a: Error, b: Error): boolean {
  return a.name === b.name && codeOf(a) === codeOf(b);
}

function codeOf(error: Error): unknown {
  return error instanceof ApiError || error instanceof ConnectionError ? error.code : error.message;
}

/** Returns the log field of an error. Errors of the server or the network need no stack. */
function errorField(error: Error): { readonly error: unknown } {
  const external =
    error instanceof ApiError || error instanceof ConnectionError || error instanceof UnknownKindError;
  return { error: external ? error.message : error };
}
