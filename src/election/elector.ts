import { hostname } from "node:os";
import type { Lease } from "../api/types/coordination/v1.ts";
import {
  between,
  type Clock,
  type Deadline,
  deadline,
  guardedLogger,
  type Logger,
  type Metrics,
  noMetrics,
  onAbort,
  type Rng,
  realClock,
  realRng,
  silentLogger,
  sleep,
  uuid,
} from "../base/index.ts";
import { type Client, ConfigError, isAlreadyExists, isConflict } from "../client/index.ts";
import { withComponent, withLane } from "../transport/index.ts";
import { type Attempt, Candidate } from "./candidate.ts";
import { ClockWatch } from "./clock-watch.ts";
import { ElectionMeter } from "./election-meter.ts";
import type { Fence } from "./fenced.ts";
import { LeaseLock, setupProblem } from "./lease-lock.ts";
import { LeadershipLostError, Term } from "./term.ts";
import { type CheckedTiming, checkedTiming, type ElectionTiming, jitter } from "./timing.ts";

export interface ElectorOptions extends ElectionTiming {
  /** Reads and writes the Lease, so it must not be `fenced`. It needs permission to get, create and update it. */
  readonly client: Client;
  /** Name of the Lease. Electors with the same Lease contend. */
  readonly name: string;
  /** Namespace of the Lease. @default the client's namespace */
  readonly namespace?: string | undefined;
  /** Identity in the Lease. It must be unique among running processes. @default "<host name>_<uuid>" */
  readonly identity?: string | undefined;
  /** Labels to set on the Lease, in addition to existing ones. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Releases the lease when the work has ended, so that the next leader need not wait. @default true */
  readonly release?: boolean | undefined;
  /** Called with the new leader's identity at each change, including this process. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Called when this process starts and stops leading, with the texts of client-go's events. */
  readonly onEvent?: ((event: LeadershipEvent) => void) | undefined;
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** The fields of an Event about the Lease. */
export interface LeadershipEvent {
  readonly regarding: Lease;
  readonly reason: "LeaderElection";
  /** "a became leader", "a stopped leading". */
  readonly message: string;
}

/**
 * The work of a leader. It has to end when `signal` aborts: at once if the reason is a `LeadershipLostError`, since its
 * writes are refused; otherwise gracefully, since the lease is renewed until the work has ended.
 */
export type Lead = (signal: AbortSignal) => Promise<void>;

export interface CheckOptions {
  /** How long an own lease may have been expired. @default 20_000 */
  readonly toleranceMs?: number | undefined;
}

/**
 * Contends for a Lease, and works while it has it.
 *
 * ```ts
 * const elector = new Elector({ client, name: "website-operator" });
 * const writer = client.through((transport) => fenced(transport, elector));
 * await elector.run((signal) => work(writer, signal), { signal });
 * ```
 *
 * A process leads from its first successful write until `renewDeadlineMs` after it sent the last successful one, by its
 * own clock. No other process takes over before `leaseDurationMs` after that.
 */
export class Elector implements Fence {
  readonly identity: string;
  /** Namespace and name of the Lease, for messages. */
  readonly lease: string;
  readonly #options: ElectorOptions;
  readonly #timing: CheckedTiming;
  readonly #clock: Clock;
  readonly #rng: Rng;
  readonly #log: Logger;
  readonly #lock: LeaseLock;
  readonly #meter: ElectionMeter;
  readonly #watch: ClockWatch;
  readonly #candidate: Candidate;
  #running = false;
  /** The latest term of leadership. It may be over. */
  #term: Term | undefined;
  /** The leader of the last notification. */
  #notifiedLeader = "";
  /** True if leadership is in doubt and has not been confirmed since. */
  #doubted = false;
  /** True if the next renewal must not wait for its time. */
  #urgent = false;
  /** Ends the pause before the next renewal, if there is one. */
  #endPause: (() => void) | undefined;

  constructor(options: ElectorOptions) {
    const { client, name, namespace = client.namespace, labels, metrics = noMetrics } = options;
    this.#options = options;
    this.#timing = checkedTiming(options);
    this.#clock = options.clock ?? realClock;
    this.#rng = options.rng ?? realRng;
    this.identity = options.identity ?? `${hostname()}_${uuid(this.#rng)}`;
    this.lease = `${namespace}/${name}`;
    checkNames({ name, namespace, identity: this.identity });
    this.#log = guardedLogger(options.log ?? silentLogger).with({
      lease: this.lease,
      identity: this.identity,
    });
    const own = client.through((transport) => withLane(withComponent(transport, "leader-election"), "lease"));
    this.#lock = new LeaseLock(own, { name, namespace, labels });
    this.#meter = new ElectionMeter(name, metrics);
    this.#watch = new ClockWatch(this.#clock);
    this.#candidate = new Candidate({
      lock: this.#lock,
      identity: this.identity,
      leaseDurationMs: this.#timing.leaseDurationMs,
      meter: this.#meter,
      log: this.#log,
      clock: this.#clock,
      watch: this.#watch,
    });
  }

  /** Identity of the leader, as last observed. */
  get leader(): string | undefined {
    return this.#candidate.observation.record?.holder || undefined;
  }

  isLeader(): boolean {
    return this.#term !== undefined && !this.#term.over && !this.confirm();
  }

  /**
   * Checks whether the wall clock ran more than a second ahead of the monotonic clock since the last renewal. Then the
   * clock was stepped or the machine was paused, perhaps for longer than the lease. The lease is renewed at once to
   * find out.
   */
  confirm(): Promise<void> | undefined {
    const term = this.#term;
    if (!term?.inDoubt) return undefined;
    if (!this.#doubted) {
      this.#doubted = true;
      this.#log.warn("wall clock ran ahead; writes wait until the lease is renewed");
      this.#renewNow();
    }
    return term.renewal;
  }

  get leadership(): AbortSignal {
    return this.#term !== undefined && !this.#term.over ? this.#term.signal : notLeading;
  }

  /**
   * Waits for the lease, then leads until the work has ended. When `signal` aborts, it aborts the work.
   *
   * Resolves when the work has ended, or if it never started. Rejects with the error of the work, with a
   * `LeadershipLostError` if leadership ended before the work, and with a `ConfigError` if this client cannot take
   * part, because it lacks a permission or the namespace does not exist. It may be run again after that, one run at a
   * time.
   */
  async run(lead: Lead, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#running) throw new Error(`elector of lease ${this.lease} is already running`);
    this.#running = true;
    this.#term = undefined;
    using _watching = this.#watch.start();
    try {
      const term = await this.#acquire(signal);
      if (term) await this.#serve(term, lead, signal);
    } finally {
      await this.#release();
      this.#running = false;
    }
  }

  /** Throws if this process still holds a lease that expired long ago: the work should have ended and has not. */
  check({ toleranceMs = 20_000 }: CheckOptions = {}): void {
    const { ageMs } = this.#candidate.observation;
    if (this.leader !== this.identity || ageMs <= this.#timing.leaseDurationMs + toleranceMs) return;
    throw new Error(`expected lease ${this.lease} to be renewed or released, got neither for ${ageMs} ms`);
  }

  /** Returns `undefined` if `signal` aborts first. */
  async #acquire(signal: AbortSignal): Promise<Term | undefined> {
    this.#log.info("waiting for the lease");
    let first = true; // until one attempt has succeeded, which proves the permissions
    while (!signal.aborted) {
      const attempt = await this.#attempt(first, signal);
      const term = attempt?.type === "held" && this.#termFrom(attempt);
      if (term && !term.over) return this.#start(term);
      first &&= !attempt;
      await this.#pause(this.#retryMs(), signal);
    }
    return undefined;
  }

  /**
   * Makes one attempt. A failure is logged and returns `undefined`. A configuration error in a first attempt is thrown,
   * since retries cannot succeed.
   */
  async #attempt(first: boolean, signal: AbortSignal): Promise<Attempt | undefined> {
    using limit = this.#limit(signal);
    try {
      return await this.#candidate.attempt(false, limit.signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = first && setupProblem(error, this.lease);
      if (problem) throw problem;
      if (isConflict(error) || isAlreadyExists(error))
        this.#log.debug("lease acquired by another", { error });
      else this.#log.warn("acquiring the lease failed", { error });
      return undefined;
    } finally {
      this.#notifyNewLeader();
    }
  }

  #termFrom({ sent }: Extract<Attempt, { type: "held" }>): Term {
    return new Term(sent, {
      lastsMs: this.#timing.renewDeadlineMs,
      lease: this.lease,
      clock: this.#clock,
      watch: this.#watch,
    });
  }

  #start(term: Term): Term {
    this.#term = term;
    this.#meter.leads(true);
    this.#log.info("lease acquired");
    this.#record("became leader");
    onAbort(term.signal, (reason) => {
      this.#meter.leads(false);
      if (reason instanceof LeadershipLostError) this.#log.error("lease lost", { error: reason });
      else this.#log.info("stopped leading");
      this.#record("stopped leading");
    });
    return term;
  }

  async #serve(term: Term, lead: Lead, signal: AbortSignal): Promise<void> {
    const stop = new AbortController(); // for the work
    const done = new AbortController(); // for renewals, which go on until the work has ended
    using _outer = onAbort(signal, (reason) => stop.abort(reason));
    using _over = onAbort(term.signal, (reason) => {
      stop.abort(reason);
      done.abort(reason);
    });
    const renewals = this.#renew(term, done.signal);
    const failure = stop.signal.aborted ? undefined : await failureOf(() => lead(stop.signal));
    done.abort(ended);
    await renewals;
    const lost = term.over;
    term.end(ended);
    if (lost && failure) this.#log.warn("work failed after the lease was lost", { error: failure.error });
    if (lost) throw term.signal.reason;
    if (failure) throw failure.error;
  }

  async #renew(term: Term, signal: AbortSignal): Promise<void> {
    this.#doubted = false;
    while (!signal.aborted) {
      if (!this.#urgent) await this.#pauseBeforeRenewal(signal);
      this.#urgent = false;
      if (!term.over && !signal.aborted) await this.#renewOnce(term, signal);
      this.#doubted &&= term.inDoubt;
    }
  }

  async #pauseBeforeRenewal(signal: AbortSignal): Promise<void> {
    const pause = new AbortController();
    using _stop = onAbort(signal, (reason) => pause.abort(reason));
    this.#endPause = () => pause.abort();
    await this.#pause(this.#timing.retryPeriodMs, pause.signal);
    this.#endPause = undefined;
  }

  /** Renews the lease without delay. A renewal in flight does not count, since it was sent before. */
  #renewNow(): void {
    this.#urgent = true;
    this.#endPause?.();
  }

  async #renewOnce(term: Term, signal: AbortSignal): Promise<void> {
    using limit = this.#limit(signal);
    try {
      const attempt = await this.#candidate.attempt(true, limit.signal);
      if (attempt.type === "held") term.renew(attempt.sent);
      else
        term.end(
          new LeadershipLostError(
            `expected lease ${this.lease} to be held by ${this.identity}, got ${attempt.holder || "no holder"}`,
          ),
        );
    } catch (error) {
      if (signal.aborted) return;
      term.renewalFailed(error);
      this.#log.warn("renewing the lease failed", { error });
    } finally {
      this.#notifyNewLeader();
    }
  }

  /** Releases the lease, best effort: a lease that is not released expires soon. */
  async #release(): Promise<void> {
    if (this.#options.release === false || this.#term?.signal.reason instanceof LeadershipLostError) return;
    using limit = deadline(this.#timing.renewDeadlineMs, `releasing lease ${this.lease}`, {
      clock: this.#clock,
    });
    try {
      await this.#candidate.release(limit.signal);
    } catch (error) {
      this.#log.warn("releasing the lease failed", { error });
    }
  }

  /** Limits one attempt, so that there is time for another. */
  #limit(signal: AbortSignal): Deadline {
    const ms = Math.max(1000, this.#timing.renewDeadlineMs / 2);
    return deadline(ms, `an attempt at lease ${this.lease}`, { clock: this.#clock, signal });
  }

  /** Returns a randomly spread delay, so that standbys do not all try at once, but not past the expiry of the lease. */
  #retryMs(): number {
    const { retryPeriodMs } = this.#timing;
    const spread = between(this.#rng, retryPeriodMs, retryPeriodMs * (1 + jitter));
    const { remainingMs } = this.#candidate.observation;
    return remainingMs > 0 ? Math.min(spread, Math.ceil(remainingMs)) : spread;
  }

  /** Waits, and returns early when `signal` aborts. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, { clock: this.#clock, signal }).catch(() => {});
  }

  #notifyNewLeader(): void {
    const { leader = "" } = this;
    if (leader === this.#notifiedLeader) return;
    this.#notifiedLeader = leader;
    if (leader && leader !== this.identity) this.#log.info("new leader elected", { leader });
    if (leader) this.#call(() => this.#options.onNewLeader?.(leader));
  }

  #record(what: string): void {
    const regarding = this.#lock.lease;
    const message = `${this.identity} ${what}`;
    if (regarding)
      this.#call(() => this.#options.onEvent?.({ regarding, reason: "LeaderElection", message }));
  }

  /** Calls a listener. Its errors are logged. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error("election listener failed", { error });
    }
  }
}

const ended = new Error("the leader's work has ended");
const notLeading = AbortSignal.abort(new Error("this process does not lead"));

function checkNames(names: Readonly<Record<string, string>>): void {
  const missing = Object.entries(names).filter(([, value]) => value === "");
  const problems = missing.map(([name]) => `expected ${name} to be set, got an empty string`);
  if (problems.length > 0) throw new ConfigError(problems);
}

async function failureOf(work: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
