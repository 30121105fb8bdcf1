import {
  asError,
  type Clock,
  createLogger,
  follow,
  type Logger,
  type PrometheusMetrics,
  prometheus,
  type Rng,
  realClock,
  realRng,
  sleep,
  unlessAborted,
} from "../base/index.ts";
import { type InformerFactory, informers } from "../cache/index.ts";
import { type Client, connect } from "../client/index.ts";
import {
  type Cache,
  CachingClient,
  type Controller,
  DeclaredCache,
  RunningController,
} from "../controller/index.ts";
import { type ElectionTiming, Elector, fenced } from "../election/index.ts";
import { type Recorder, recorder } from "../recorder/index.ts";
import { controllerNeeds, electionNeed } from "./controller-needs.ts";
import type { HealthCheck } from "./health.ts";
import { preflight } from "./preflight.ts";
import { type HealthOptions, type MetricsOptions, Servers } from "./servers.ts";
import { watchStaleness } from "./staleness.ts";

export interface ManagerOptions {
  readonly controllers: readonly Controller[];
  /** @default found as kubectl finds it */
  readonly client?: Client | undefined;
  /** Watches these alone. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /** Of all replicas that name the same lease, one works. @default none: this one works */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /** Serves `/metrics`. @default { port: 8080 } in a cluster, off elsewhere */
  readonly metrics?: MetricsOptions | false | undefined;
  /** Serves `/healthz` and `/readyz`, which says whether watches are alive. @default { port: 8081 } in a cluster, off elsewhere */
  readonly health?: HealthOptions | false | undefined;
  /**
   * Looks first whether the kinds are there and the rights are given, and fails with the rule or command that mends it.
   * @default true
   */
  readonly preflight?: boolean | undefined;
  /** Reads of kinds that no controller declares are refused, not sent. @default false */
  readonly strictReads?: boolean | undefined;
  /** How long reconciles may take to end after the signal; then they are told to. @default 25,000 */
  readonly drainMs?: number | undefined;
  /** How long first lists may take. @default 120,000 */
  readonly syncTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
  readonly registry?: PrometheusMetrics | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

export interface LeaderElectionOptions extends ElectionTiming {
  /** Of the Lease. */
  readonly name: string;
  /** @default the client's */
  readonly namespace?: string | undefined;
  /** @default the machine's name and a random part */
  readonly identity?: string | undefined;
}

/** Runs controllers: their caches, their election, their start and their end. */
export interface Manager {
  /** Reads declared kinds from the cache, own writes included. Throws before there is one: wait for `ready`. */
  readonly client: Client;
  readonly cache: Cache;
  /** Resolves when every cache is filled. Rejects where that failed, or the manager ended first. */
  readonly ready: Promise<void>;
  /** Whether nothing is in line or being reconciled. What waits for a retry or for its time does not count. */
  readonly idle: boolean;
  /** Runs until aborted, drains, and resolves; rejects if something essential failed. Once. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Describes a manager: starts nothing. Throws for controllers of the same name. */
export function manager(options: ManagerOptions): Manager {
  const names = new Set<string>();
  for (const { name } of options.controllers) {
    if (names.has(name)) {
      throw new TypeError(
        `expected each controller to have a name of its own, got two called ${JSON.stringify(name)}`,
      );
    }
    names.add(name);
  }
  return new ControllerManager(options);
}

class ControllerManager implements Manager {
  readonly cache: DeclaredCache = new DeclaredCache();
  readonly ready: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #rng: Rng;
  readonly #log: Logger;
  readonly #metrics: PrometheusMetrics;
  readonly #ready = new Readiness();
  #client: CachingClient | undefined;
  #running: readonly RunningController[] = [];
  #began = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#rng = options.rng ?? realRng;
    this.#log = options.log ?? createLogger({ clock: this.#clock });
    this.#metrics = options.registry ?? prometheus();
    this.ready = this.#ready.promise;
  }

  get client(): Client {
    if (this.#client) return this.#client;
    throw new Error("expected a manager that is ready, got one that has not begun; await its `ready` first");
  }

  get idle(): boolean {
    return this.#running.every(({ idle }) => idle);
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#began) throw new Error("expected a manager to be run once, got a second run");
    this.#began = true;
    try {
      await this.#run(signal);
      this.#ready.fail(
        new Error("expected a manager to become ready, got it ended before", { cause: signal.reason }),
      );
    } catch (error) {
      this.#ready.fail(asError(error));
      if (!signal.aborted || !isReason(error, signal)) throw error;
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { client: given } = this.#options;
    const client = given ?? (await this.#connect());
    try {
      await this.#withClient(client, signal);
    } finally {
      if (!given) await client.close();
    }
  }

  #connect(): Promise<Client> {
    return connect({ log: this.#log, metrics: this.#metrics, clock: this.#clock, rng: this.#rng });
  }

  async #withClient(client: Client, signal: AbortSignal): Promise<void> {
    const { namespaces, syncTimeoutMs } = this.#options;
    const elector = this.#elector(client);
    await using _servers = await this.#serve(client, elector, signal);
    await this.#preflight(client, signal);
    const live = elector ? client.through((transport) => fenced(transport, elector)) : client;
    const shared = { clock: this.#clock, rng: this.#rng, log: this.#log, metrics: this.#metrics };
    await using factory = informers({ client, namespaces, syncTimeoutMs, ...shared });
    await using events = recorder({ client: live, component: this.#component(), ...shared });
    this.#client = new CachingClient({ live, cache: this.cache, strict: this.#options.strictReads });
    this.#running = this.#prepare(factory, events);
    await using _controllers = { [Symbol.asyncDispose]: () => this.#close() };
    const caches = new AbortController(); // they are read until the last reconcile has ended
    factory.start({ signal: caches.signal });
    await unlessAborted(Promise.all(this.#running.map(({ synced }) => synced)), signal);
    this.#ready.reach();
    this.#log.info("caches are filled", {
      controllers: this.#running.map(({ controller }) => controller.name),
    });
    await (elector ? elector.run((leading) => this.#lead(leading), { signal }) : this.#lead(signal));
  }

  #serve(client: Client, elector: Elector | undefined, signal: AbortSignal): Promise<Servers> {
    const { metrics, health } = this.#options;
    const caches: HealthCheck = {
      name: "caches",
      check: () => {
        if (!this.#ready.reached)
          throw new Error("expected the caches to be filled, got some that are not yet");
      },
    };
    const watched = watchStaleness(() => this.#running.flatMap(({ informers }) => informers), {
      clock: this.#clock,
    });
    const lease: HealthCheck[] = elector ? [{ name: "lease", check: () => elector.check() }] : [];
    const alive = [{ name: "ping", check() {} }, ...lease];
    const shared = {
      registry: this.#metrics,
      client,
      log: this.#log,
      clock: this.#clock,
      rng: this.#rng,
      signal,
    };
    return Servers.start({ metrics, health, alive, ready: [caches, watched], ...shared });
  }

  async #preflight(client: Client, signal: AbortSignal): Promise<void> {
    const { controllers, namespaces, leaderElection, preflight: wanted = true } = this.#options;
    if (!wanted) return;
    const needs = controllers.flatMap((controller) => controllerNeeds(controller, namespaces));
    if (leaderElection) needs.push(electionNeed(leaderElection.namespace ?? client.namespace));
    await preflight(client, needs, { signal, log: this.#log, clock: this.#clock });
  }

  #elector(client: Client): Elector | undefined {
    const { leaderElection } = this.#options;
    const shared = { clock: this.#clock, rng: this.#rng, log: this.#log, metrics: this.#metrics };
    return leaderElection && new Elector({ client, ...leaderElection, ...shared });
  }

  #component(): string {
    return this.#options.leaderElection?.name ?? this.#options.controllers[0]?.name ?? "trimtab";
  }

  #prepare(factory: InformerFactory, events: Recorder): RunningController[] {
    const surroundings = {
      client: this.client,
      cache: this.cache,
      informers: factory,
      events,
      log: this.#log,
      metrics: this.#metrics,
      clock: this.#clock,
      rng: this.#rng,
    };
    const running = this.#options.controllers.map(
      (controller) => new RunningController(controller, surroundings),
    );
    for (const each of running) each.prepare();
    return running;
  }

  /** Works until the signal aborts and what was begun has ended, or has had its time. */
  async #lead(signal: AbortSignal): Promise<void> {
    const { drainMs = 25_000 } = this.#options;
    const stop = new AbortController();
    const cancel = new AbortController();
    using _asked = follow(signal, (reason) => stop.abort(reason));
    const works = this.#running.map((each) =>
      each.work({ stop: stop.signal, cancel: cancel.signal }).catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    );
    const over = Promise.allSettled(works);
    await aborted(stop.signal);
    this.#log.info("stopping", { reason: asError(stop.signal.reason).message, working: this.#working() });
    if (await this.#within(over, drainMs)) return firstFailure(await over);
    cancel.abort(
      new Error(`expected reconciles to end within ${drainMs} ms of the signal, got some that did not`),
    );
    if (await this.#within(over, lastMs)) return firstFailure(await over);
    throw new Error(
      `expected reconciles to end when told to, got ${this.#working().join(", ")} still running`,
    );
  }

  #working(): string[] {
    return this.#running.flatMap(({ controller, working }) =>
      working.map((key) => `${controller.name} ${key}`),
    );
  }

  async #within(work: Promise<unknown>, ms: number): Promise<boolean> {
    const late = new AbortController();
    const timeout = sleep(ms, { clock: this.#clock, signal: late.signal }).then(
      () => false,
      () => true,
    );
    const done = await Promise.race([work.then(() => true), timeout]);
    late.abort();
    return done;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.close()));
  }
}

/** Who was told to end and does not in this time is left behind. */
const lastMs = 1000;

/** A promise that is settled from outside, once. Nobody has to look at it. */
class Readiness {
  readonly promise: Promise<void>;
  reached = false;
  #resolve: () => void = () => {};
  fail: (error: Error) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.fail = reject;
    });
    this.promise.catch(() => {});
  }

  reach(): void {
    this.reached = true;
    this.#resolve();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void follow(signal, () => resolve()));
}

function firstFailure(results: readonly PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Whether it is only what the signal was aborted with. */
function isReason(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || asError(error).message === asError(reason).message;
}
