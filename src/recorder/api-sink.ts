import { Event as CoreEvent } from "../api/types/core/v1.ts";
import { Event } from "../api/types/events/v1.ts";
import {
  type Clock,
  deadline,
  type LogFields,
  type Logger,
  type Rng,
  realClock,
  realRng,
  silentLogger,
  type Timer,
} from "../base/index.ts";
import { ApiError, type Client, isAlreadyExists, isForbidden, isNotFound } from "../client/index.ts";
import { coreChange, coreEvent, eventNames, groupedChange, groupedEvent } from "./event-bodies.ts";
import type { EventSink } from "./event-sink.ts";
import { Outbox } from "./outbox.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { SpamFilter, Tallies, type Tally } from "./tally.ts";

/** `v1` writes every repetition; `events.k8s.io/v1` writes the first two, and later ones at intervals. */
export type EventsApi = "events.k8s.io/v1" | "v1";

export interface ApiSinkOptions {
  readonly client: Client;
  /**
   * In a namespace where `events.k8s.io/v1` is forbidden and `v1` is not, events are written to `v1`.
   * @default "events.k8s.io/v1"
   */
  readonly api?: EventsApi | undefined;
  /** Logs events that could not be written. @default none */
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Writes events to a cluster, with a count of repetitions. Each sink has its own counts. */
export function apiSink(options: ApiSinkOptions): EventSink {
  return new ApiSink(options);
}

/** Returns true if `apiSink` made the sink, so that a recorder needs no other. */
export function isApiSink(sink: EventSink): boolean {
  return sink instanceof ApiSink;
}

class ApiSink implements EventSink {
  readonly #client: Client;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #api: EventsApi;
  /**
   * The API for namespaces in which `events.k8s.io/v1` is forbidden: `v1`, or none. Entries are kept for the life of
   * the sink, because permissions seldom change while a program runs, and each event would cost another refused
   * request.
   */
  readonly #fallbacks = new Map<string, "v1" | "none">();
  readonly #tallies: Tallies;
  readonly #spam: SpamFilter;
  readonly #outbox: Outbox<Tally>;
  /** Timer of the next round. Set while there are tallies of `events.k8s.io/v1`, because only series end. */
  #roundTimer: Timer | undefined;
  #round = 0;
  /** True if the missing permission has been logged. */
  #missingPermissionLogged = false;
  #closed = false;

  constructor({
    client,
    api = "events.k8s.io/v1",
    log = silentLogger,
    clock = realClock,
    rng = realRng,
  }: ApiSinkOptions) {
    this.#client = client;
    this.#log = log;
    this.#clock = clock;
    this.#api = api;
    this.#tallies = new Tallies(eventNames(rng));
    this.#spam = new SpamFilter(clock);
    this.#outbox = new Outbox({
      clock,
      write: (tally, { signal }) => this.#write(tally, signal),
      onDropped: (tally, reason) => this.#report(tally, reason),
      delayMs: (attempt) => (attempt === 1 ? rng.next() * retryMs : retryMs * (1 + rng.next() / 4)),
    });
  }

  record(event: RecordedEvent): void {
    if (this.#closed) return;
    const tally = this.#tallies.count(event);
    if (this.#api !== "v1")
      this.#roundTimer ??= this.#clock.timer(roundMs, this.#runRound, { background: true });
    if (this.#isDue(tally) && this.#spam.passes(event)) this.#outbox.add(tally);
  }

  async close(): Promise<void> {
    if (!this.#closed) for (const tally of this.#tallies.all()) this.#writeCount(tally);
    this.#closed = true;
    this.#roundTimer?.cancel();
    await this.#outbox.close(closeMs);
  }

  #isDue(tally: Tally): boolean {
    return this.#apiOf(tally) === "v1" || tally.written === 0 || tally.count === 2;
  }

  #apiOf({ namespace }: Pick<Tally, "namespace">): EventsApi {
    return this.#fallbacks.get(namespace) === "v1" ? "v1" : this.#api;
  }

  /** Writes and forgets finished series, and writes the others every fifth round. */
  readonly #runRound = (): void => {
    this.#roundTimer = undefined;
    this.#round += 1;
    for (const tally of this.#tallies.all()) {
      if (this.#apiOf(tally) === "v1") continue;
      const finished = this.#clock.now() - tally.lastMs >= roundMs;
      if (finished || this.#round % 5 === 0) this.#writeCount(tally);
      if (finished) this.#tallies.forget(tally);
    }
    if (this.#tallies.size > 0)
      this.#roundTimer = this.#clock.timer(roundMs, this.#runRound, { background: true });
  };

  /**
   * Writes a count that the cluster does not have yet. An event that was never written was refused, or is in the
   * outbox.
   */
  #writeCount(tally: Tally): void {
    if (this.#apiOf(tally) !== "v1" && tally.written > 0 && tally.count > tally.written)
      this.#outbox.add(tally);
  }

  async #write(tally: Tally, outer: AbortSignal): Promise<void> {
    const { count } = tally;
    if (tally.written === count) return; // a retry of the previous write has included this count
    using limit = deadline(responseTimeoutMs, "writing an event", { clock: this.#clock, signal: outer });
    const { signal } = limit;
    try {
      await (tally.written === 0 ? this.#create(tally, signal) : this.#update(tally, signal));
      tally.written = count;
    } catch (error) {
      if (isAlreadyExists(error) && count > 1) tally.written = 1;
      // A retry would get the same response from the server.
      else if (error instanceof ApiError) return this.#report(tally, error);
      throw error;
    }
  }

  async #create(tally: Tally, signal: AbortSignal): Promise<void> {
    if (this.#apiOf(tally) === "v1") return this.#createCore(tally, signal);
    try {
      await this.#client.create(Event, groupedEvent(tally), { signal });
    } catch (error) {
      const fallsBack =
        isForbidden(error) && !isExpected(error) && this.#fallbacks.get(tally.namespace) !== "none";
      if (!fallsBack || !(await this.#fallBack(tally, signal))) throw error;
    }
  }

  async #createCore(tally: Tally, signal: AbortSignal): Promise<void> {
    await this.#client.create(CoreEvent, coreEvent(tally), { signal });
  }

  /** Returns true if the event is written to `v1`, and false if that is forbidden too. */
  async #fallBack(tally: Tally, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#createCore(tally, signal);
      this.#fallbacks.set(tally.namespace, "v1");
      return true;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (!isExpected(error)) this.#fallbacks.set(tally.namespace, "none");
      return false;
    }
  }

  /** Updates the Event, or creates it again: servers delete Events after an hour. */
  async #update(tally: Tally, signal: AbortSignal): Promise<void> {
    try {
      await this.#patch(tally, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#create(tally, signal);
    }
  }

  async #patch(tally: Tally, signal: AbortSignal): Promise<void> {
    const { namespace, name } = tally;
    const key = { namespace, name };
    if (this.#apiOf(tally) === "v1")
      await this.#client.patch(CoreEvent, key, { strategic: coreChange(tally) }, { signal });
    else await this.#client.patch(Event, key, { strategic: groupedChange(tally) }, { signal });
  }

  #report({ namespace, name, first }: Tally, error: unknown): void {
    const fields = { event: `${namespace}/${name}`, reason: first.reason, note: first.note, error };
    if (isExpected(error)) this.#log.debug("event not written", fields);
    else if (isForbidden(error)) this.#logMissingPermission(fields, error);
    else this.#log.warn("event not written", fields);
  }

  /** Logs the missing permission once, with the RBAC rule that grants it. */
  #logMissingPermission(fields: LogFields, { message }: Error): void {
    if (this.#missingPermissionLogged) return this.#log.debug("event not written", fields);
    this.#missingPermissionLogged = true;
    this.#log.warn("events not written: missing permission", { error: message, rule: ruleOf(this.#api) });
  }
}

/** Returns the RBAC rule as it is written in a Role. */
function ruleOf(api: EventsApi): string {
  const group = api === "v1" ? "" : "events.k8s.io";
  return `{ apiGroups: ["${group}"], resources: ["events"], verbs: ["create", "patch"] }`;
}

/**
 * Returns true for expected failures: the Event exists already, or its namespace is terminating, which is also a 403.
 */
function isExpected(error: unknown): boolean {
  if (isAlreadyExists(error)) return true;
  const causes = error instanceof ApiError ? (error.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === "NamespaceTerminating");
}

const responseTimeoutMs = 30_000;
const retryMs = 10_000;
const closeMs = 5_000;
const roundMs = 360_000;
