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
import { coreChange, coreEvent, groupedChange, groupedEvent } from "./event-bodies.ts";
import { eventNames } from "./event-name.ts";
import type { EventSink } from "./event-sink.ts";
import { Outbox } from "./outbox.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { SpamFilter } from "./spam-filter.ts";
import { Tallies, type Tally } from "./tally.ts";

/** `v1` writes every repetition; `events.k8s.io/v1` the first two, and then now and again. */
export type EventsApi = "events.k8s.io/v1" | "v1";

export interface ApiSinkOptions {
  readonly client: Client;
  /**
   * In a namespace where `events.k8s.io/v1` is forbidden and `v1` is not, events are written to `v1`.
   * @default "events.k8s.io/v1"
   */
  readonly api?: EventsApi | undefined;
  /** Told of what could not be written. @default nobody */
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Writes events to a cluster, with a count where they repeat. What it has counted is its own: two sinks count apart. */
export function apiSink(options: ApiSinkOptions): EventSink {
  return new ApiSink(options);
}

/** Whether `apiSink` made the sink, so that a recorder needs none of its own. */
export function isApiSink(sink: EventSink): boolean {
  return sink instanceof ApiSink;
}

class ApiSink implements EventSink {
  readonly #client: Client;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #api: EventsApi;
  /**
   * The API that works in a namespace where `events.k8s.io/v1` is forbidden: `v1`, or none. It is kept for the life of the sink,
   * because permissions seldom change while a program runs, and each event would cost another refused request.
   */
  readonly #fallbacks = new Map<string, "v1" | "none">();
  readonly #tallies: Tallies;
  readonly #spam: SpamFilter;
  readonly #outbox: Outbox<Tally>;
  /** Set while there is something to forget: series alone are ever finished. */
  #rounds: Timer | undefined;
  #round = 0;
  /** Whether it was said that a right is missing. */
  #told = false;
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
      onDropped: (tally, why) => this.#report(tally, why),
      delayMs: (tried) => (tried === 1 ? rng.next() * retryMs : retryMs * (1 + rng.next() / 4)),
    });
  }

  record(event: RecordedEvent): void {
    if (this.#closed) return;
    const tally = this.#tallies.count(event);
    if (this.#api !== "v1") this.#rounds ??= this.#clock.timer(roundMs, this.#goRound, { background: true });
    if (this.#isNews(tally) && this.#spam.passes(event)) this.#outbox.add(tally);
  }

  async close(): Promise<void> {
    if (!this.#closed) for (const tally of this.#tallies.all()) this.#catchUp(tally);
    this.#closed = true;
    this.#rounds?.cancel();
    await this.#outbox.close(closeMs);
  }

  #isNews(tally: Tally): boolean {
    return this.#apiOf(tally) === "v1" || tally.written === 0 || tally.count === 2;
  }

  #apiOf({ namespace }: Pick<Tally, "namespace">): EventsApi {
    return this.#fallbacks.get(namespace) === "v1" ? "v1" : this.#api;
  }

  /** Finished series are told for the last time and forgotten, those that go on are told every fifth time. */
  readonly #goRound = (): void => {
    this.#rounds = undefined;
    this.#round += 1;
    for (const tally of this.#tallies.all()) {
      if (this.#apiOf(tally) === "v1") continue;
      const finished = this.#clock.now() - tally.lastMs >= roundMs;
      if (finished || this.#round % 5 === 0) this.#catchUp(tally);
      if (finished) this.#tallies.forget(tally);
    }
    if (this.#tallies.size > 0)
      this.#rounds = this.#clock.timer(roundMs, this.#goRound, { background: true });
  };

  /** Writes what was counted and not told. What the cluster never had was refused, or is on its way. */
  #catchUp(tally: Tally): void {
    if (this.#apiOf(tally) !== "v1" && tally.written > 0 && tally.count > tally.written)
      this.#outbox.add(tally);
  }

  async #write(tally: Tally, outer: AbortSignal): Promise<void> {
    const { count } = tally;
    if (tally.written === count) return; // a later try of the write before has told it all
    using limit = deadline(answerMs, "writing an event", { clock: this.#clock, signal: outer });
    const { signal } = limit;
    try {
      await (tally.written === 0 ? this.#create(tally, signal) : this.#update(tally, signal));
      tally.written = count;
    } catch (error) {
      if (isAlreadyExists(error) && count > 1) tally.written = 1;
      // What a server has answered it would answer again.
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
        isForbidden(error) && !isQuiet(error) && this.#fallbacks.get(tally.namespace) !== "none";
      if (!fallsBack || !(await this.#fallBack(tally, signal))) throw error;
    }
  }

  async #createCore(tally: Tally, signal: AbortSignal): Promise<void> {
    await this.#client.create(CoreEvent, coreEvent(tally), { signal });
  }

  /** Returns whether the event is written to `v1`: not if that is forbidden too. */
  async #fallBack(tally: Tally, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#createCore(tally, signal);
      this.#fallbacks.set(tally.namespace, "v1");
      return true;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (!isQuiet(error)) this.#fallbacks.set(tally.namespace, "none");
      return false;
    }
  }

  /** An Event may have gone: servers keep them for an hour. */
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
    if (isQuiet(error)) this.#log.debug("event not written", fields);
    else if (isForbidden(error)) this.#refused(fields, error);
    else this.#log.warn("event not written", fields);
  }

  /** Who may not write one event may write none: that is told once, with what would allow it. */
  #refused(fields: LogFields, { message }: Error): void {
    if (this.#told) return this.#log.debug("event not written", fields);
    this.#told = true;
    this.#log.warn("events are not written for want of a right", { error: message, rule: ruleOf(this.#api) });
  }
}

/** As it stands in a role. */
function ruleOf(api: EventsApi): string {
  const group = api === "v1" ? "" : "events.k8s.io";
  return `{ apiGroups: ["${group}"], resources: ["events"], verbs: ["create", "patch"] }`;
}

/** It is there already, or what it is about is going with its namespace: that too is a 403. */
function isQuiet(error: unknown): boolean {
  if (isAlreadyExists(error)) return true;
  const causes = error instanceof ApiError ? (error.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === "NamespaceTerminating");
}

const answerMs = 30_000;
const retryMs = 10_000;
const closeMs = 5_000;
const roundMs = 360_000;
