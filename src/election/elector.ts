import { hostname } from "node:os";
import type { Lease } from "../api/types/coordination/v1.ts";
import {
  between,
  type Clock,
  type Deadline,
  deadline,
  follow,
  guardedLogger,
  type Logger,
  type Metrics,
  noMetrics,
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
import { ElectionMeter } from "./election-meter.ts";
import type { Fence } from "./fenced.ts";
import { LeaseLock } from "./lease-lock.ts";
import { setupProblem } from "./setup-problem.ts";
import { LeadershipLostError, Term } from "./term.ts";
import { type CheckedTiming, checkedTiming, type ElectionTiming, jitter } from "./timing.ts";

export interface ElectorOptions extends ElectionTiming {
  /** Reads and writes the Lease, so it must not be `fenced`. It needs to get, create and update it. */
  readonly client: Client;
  /** Of the Lease: those who name the same one contend. */
  readonly name: string;
  /** Of the Lease. @default the client's own */
  readonly namespace?: string | undefined;
  /** Whom the Lease names. No two processes may have the same at a time. @default "<host name>_<uuid>" */
  readonly identity?: string | undefined;
  /** Set on the Lease, beside those it has. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Gives the lease back when the work has ended, so that the next need not wait. @default true */
  readonly release?: boolean | undefined;
  /** Told who leads when that is another than before, ourselves too. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Told when this process begins and ends to lead, in the words of client-go's events. */
  readonly onEvent?: ((event: LeadershipEvent) => void) | undefined;
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** What an event recorder needs for an Event about the Lease. */
export interface LeadershipEvent {
  readonly regarding: Lease;
  readonly reason: "LeaderElection";
  /** "a became leader", "a stopped leading". */
  readonly message: string;
}

/**
 * The work of a leader. When `signal` aborts it is to end: with a `LeadershipLostError` at once, since its writes are
 * refused; with any other reason in good order, since the lease is renewed until it has ended.
 */
export type Lead = (signal: AbortSignal) => Promise<void>;

export interface CheckOptions {
  /** How long a lease of ours may have been over. @default 20_000 */
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
 * One leads from when its claim was accepted until `renewDeadlineMs` after it sent the last that was, by its own clock;
 * nobody takes the lease before `leaseDurationMs` after that.
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
  readonly #candidate: Candidate;
  #running = false;
  /** The last time of leading; it may be over. */
  #term: Term | undefined;
  /** Who was last told of as the leader. */
  #told = "";
  /** Leadership was found to be in doubt, and has not been confirmed since. */
  #doubted = false;
  /** The next renewal does not wait for its time. */
  #urgent = false;
  /** Ends the pause before the next renewal, while there is one. */
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
    this.#candidate = new Candidate({
      lock: this.#lock,
      identity: this.identity,
      leaseDurationMs: this.#timing.leaseDurationMs,
      meter: this.#meter,
      log: this.#log,
      clock: this.#clock,
    });
  }

  /** Who leads, by what was last seen of the lease. */
  get leader(): string | undefined {
    return this.#candidate.observation.record?.holder || undefined;
  }

  isLeader(): boolean {
    return this.#term !== undefined && !this.#term.over && !this.confirm();
  }

  /**
   * The wall clock ran more than a second ahead of the monotonic one since the last renewal: the clock was stepped, or the
   * machine was paused, perhaps for longer than the lease. The lease is renewed at once, and decides.
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
   * Waits for the lease, then leads until the work has ended; asks it to end when `signal` aborts.
   *
   * Resolves when the work has ended well, or where it never began. Rejects with what the work threw, with a
   * `LeadershipLostError` where leadership ended before it, and with a `ConfigError` where this client cannot take part:
   * it has not the right, or there is no such namespace. It may be run again after that, one run at a time.
   */
  async run(lead: Lead, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#running) throw new Error(`expected one run for lease ${this.lease} at a time, got a second`);
    this.#running = true;
    this.#term = undefined;
    try {
      const term = await this.#acquire(signal);
      if (term) await this.#serve(term, lead, signal);
    } finally {
      await this.#release();
      this.#running = false;
    }
  }

  /** Throws where the lease is ours by what we know and was over long ago: work that should have ended has not. */
  check({ toleranceMs = 20_000 }: CheckOptions = {}): void {
    const { ageMs } = this.#candidate.observation;
    if (this.leader !== this.identity || ageMs <= this.#timing.leaseDurationMs + toleranceMs) return;
    throw new Error(`expected lease ${this.lease} to be renewed or given up, got neither for ${ageMs} ms`);
  }

  /** Nothing is given where `signal` aborts first. */
  async #acquire(signal: AbortSignal): Promise<Term | undefined> {
    this.#log.info("waiting for the lease");
    let first = true; // until the server has once answered as it does to one who may take part
    while (!signal.aborted) {
      const attempt = await this.#attempt(first, signal);
      const term = attempt?.type === "held" && this.#termFrom(attempt);
      if (term && !term.over) return this.#begin(term);
      first &&= !attempt;
      await this.#pause(this.#retryMs(), signal);
    }
    return undefined;
  }

  /** What failed is told and is nothing; only a first attempt that no later one can better is an error. */
  async #attempt(first: boolean, signal: AbortSignal): Promise<Attempt | undefined> {
    using limit = this.#limit(signal);
    try {
      return await this.#candidate.attempt(false, limit.signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = first && setupProblem(error, this.lease);
      if (problem) throw problem;
      if (isConflict(error) || isAlreadyExists(error)) this.#log.debug("another won the lease", { error });
      else this.#log.warn("could not try for the lease", { error });
      return undefined;
    } finally {
      this.#tell();
    }
  }

  #termFrom({ sent }: Extract<Attempt, { type: "held" }>): Term {
    return new Term(sent, { lastsMs: this.#timing.renewDeadlineMs, lease: this.lease, clock: this.#clock });
  }

  #begin(term: Term): Term {
    this.#term = term;
    this.#meter.leads(true);
    this.#log.info("leading");
    this.#record("became leader");
    follow(term.signal, (reason) => {
      this.#meter.leads(false);
      if (reason instanceof LeadershipLostError) this.#log.error("leading no longer", { error: reason });
      else this.#log.info("leading no longer");
      this.#record("stopped leading");
    });
    return term;
  }

  async #serve(term: Term, lead: Lead, signal: AbortSignal): Promise<void> {
    const stop = new AbortController(); // for the work
    const done = new AbortController(); // for renewals, which go on until the work has ended
    using _asked = follow(signal, (reason) => stop.abort(reason));
    using _over = follow(term.signal, (reason) => {
      stop.abort(reason);
      done.abort(reason);
    });
    const renewals = this.#renew(term, done.signal);
    const failure = stop.signal.aborted ? undefined : await failureOf(() => lead(stop.signal));
    done.abort(ended);
    await renewals;
    const lost = term.over;
    term.end(ended);
    if (lost && failure)
      this.#log.warn("the work failed after leadership was lost", { error: failure.error });
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
    using _stop = follow(signal, (reason) => pause.abort(reason));
    this.#endPause = () => pause.abort();
    await this.#pause(this.#timing.retryPeriodMs, pause.signal);
    this.#endPause = undefined;
  }

  /** A renewal that is under way does not count: it was sent before. */
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
            `expected lease ${this.lease} to be ours, got ${attempt.holder || "nobody"}'s`,
          ),
        );
    } catch (error) {
      if (signal.aborted) return;
      term.renewalFailed(error);
      this.#log.warn("could not renew the lease", { error });
    } finally {
      this.#tell();
    }
  }

  /** Best effort: what is not given back is over soon. */
  async #release(): Promise<void> {
    if (this.#options.release === false || this.#term?.signal.reason instanceof LeadershipLostError) return;
    using limit = deadline(this.#timing.renewDeadlineMs, `giving back lease ${this.lease}`, {
      clock: this.#clock,
    });
    try {
      await this.#candidate.release(limit.signal);
    } catch (error) {
      this.#log.warn("could not give back the lease", { error });
    }
  }

  /** One attempt must not take the time that others need. */
  #limit(signal: AbortSignal): Deadline {
    const ms = Math.max(1000, this.#timing.renewDeadlineMs / 2);
    return deadline(ms, `an attempt at lease ${this.lease}`, { clock: this.#clock, signal });
  }

  /** Spread by chance, so that those who wait do not all come at once; but not past the end of the lease. */
  #retryMs(): number {
    const { retryPeriodMs } = this.#timing;
    const spread = between(this.#rng, retryPeriodMs, retryPeriodMs * (1 + jitter));
    const { leftMs } = this.#candidate.observation;
    return leftMs > 0 ? Math.min(spread, Math.ceil(leftMs)) : spread;
  }

  /** Ends early when `signal` aborts, which its caller sees. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, { clock: this.#clock, signal }).catch(() => {});
  }

  #tell(): void {
    const { leader = "" } = this;
    if (leader === this.#told) return;
    this.#told = leader;
    if (leader && leader !== this.identity) this.#log.info("another leads", { leader });
    if (leader) this.#call(() => this.#options.onNewLeader?.(leader));
  }

  #record(what: string): void {
    const regarding = this.#lock.lease;
    const message = `${this.identity} ${what}`;
    if (regarding)
      this.#call(() => this.#options.onEvent?.({ regarding, reason: "LeaderElection", message }));
  }

  /** What a listener throws is its own affair. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error("a listener to the election failed", { error });
    }
  }
}

const ended = new Error("the leader's work has ended");
const notLeading = AbortSignal.abort(new Error("this process does not lead"));

function checkNames(names: Readonly<Record<string, string>>): void {
  const missing = Object.entries(names).filter(([, value]) => value === "");
  const problems = missing.map(([name]) => `expected ${name} to be a text of the lease, got an empty one`);
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
