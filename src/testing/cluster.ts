import {
  asError,
  type Clock,
  createLogger,
  type Rng,
  realClock,
  realRng,
  VirtualClock,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Controller } from "../controller/index.ts";
import { type Manager, type ManagerOptions, manager } from "../manager/index.ts";
import { Activity } from "./activity.ts";
import { AdvancingAttempts } from "./advancing-attempts.ts";
import { aroundReconciles } from "./around-reconciles.ts";
import { Attempts } from "./attempts.ts";
import { localWebhooks } from "./local-webhooks.ts";
import { rejectMissingKinds } from "./missing-kinds.ts";
import { ReconcileCounts } from "./reconcile-counts.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { withNote } from "./with-note.ts";

/** A control plane for tests. Disposing it closes it. */
export interface Cluster extends AsyncDisposable {
  readonly client: Client;
  /** The clock of the server, the client and the managers. */
  readonly clock: Clock;
  /** The random numbers of the server, the client and the managers. */
  readonly rng: Rng;
  /** Aborted when `close` is called. */
  readonly signal: AbortSignal;
  /**
   * Path of a kubeconfig file for other programs. For an existing cluster found through KUBECONFIG, the value of that
   * variable.
   */
  readonly kubeconfig: string;
  /** Returns the path of a kubeconfig file for one of the cluster's `users`. */
  kubeconfigOf(user: string): string;
  /**
   * Runs controllers on this cluster until it is closed. Resolves when their caches have synced, and rejects if that
   * fails or a CustomResourceDefinition is missing. If a running manager fails, `close` rejects with its error, unless
   * an `eventually` has reported it. `webhooks` are served on loopback and registered until the cluster is closed, and
   * are in effect when the promise resolves; the API server must run on this machine. The manager uses the cluster's
   * client, clock and random numbers, opens no other port, and logs warnings and errors only; `options` overrides each
   * of these.
   */
  run(options: ManagerOptions): Promise<Manager>;
  /**
   * Calls `check` until it no longer throws, and resolves with its result: after every change in an embedded server,
   * and every 50 ms. Rejects with the last error of `check`, to which it adds the reconciles and managers that failed
   * meanwhile; also when the cluster is closed. A virtual clock is advanced from timer to timer until `check` passes.
   */
  eventually<T>(check: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /**
   * Moves a virtual clock forward. Fires the timers that become due, in order. Before the first and after each of them,
   * everything that needs no time to pass comes to an end: requests, watch events, reconciles. Rejects, with the keys,
   * if a controller reconciles without end, and if the cluster's clock is not virtual.
   *
   * ```ts
   * await using cluster = await startCluster({ clock: new VirtualClock() });
   * await cluster.run({ controllers: [backups] });
   * await cluster.advance(24 * 60 * 60 * 1000);
   * ```
   *
   * It does not wait for work of the program that is neither a request to the cluster nor a timer of its clock.
   */
  advance(ms: number): Promise<void>;
  /**
   * Resolves when the managers on this cluster have nothing queued and no reconcile in progress. Does not move a virtual
   * clock. Rejects with the keys in progress after four seconds of real time, with a virtual clock after one.
   */
  settled(): Promise<void>;
  /** Stops everything that was started for the cluster. Calling it again has no effect. */
  close(): Promise<void>;
}

export interface EventuallyOptions {
  /**
   * How long to wait. @default 4,000: less than vitest's default timeout, so that the test shows the error of the check
   */
  readonly withinMs?: number | undefined;
}

/** A cluster without its client. */
export interface ClusterServer extends Pick<Cluster, "kubeconfig" | "kubeconfigOf" | "close"> {
  /** Calls `run` after every change. Absent if the server does not report changes. */
  onChange?(run: () => void): Disposable;
}

export interface ClusterParts {
  readonly client: Client;
  readonly server: ClusterServer;
  /** Counts the requests of an embedded server. @default no request is counted */
  readonly activity?: Activity | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Creates a cluster. Its `close` closes the managers, then the client, then the server. */
export function clusterOf(parts: ClusterParts): Cluster {
  return new RunningCluster(parts);
}

/**
 * Returns the options of a manager on a cluster: missing options come from the cluster, and no port is opened by
 * default.
 */
export function inCluster(cluster: Cluster, options: ManagerOptions): ManagerOptions {
  const { client = cluster.client, clock = cluster.clock, rng = cluster.rng } = options;
  const { metrics = false, health = false, log = createLogger({ level: "warn", clock }) } = options;
  return { ...options, client, clock, rng, metrics, health, log };
}

class RunningCluster implements Cluster {
  readonly client: Client;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly #server: ClusterServer;
  readonly #ended = new AbortController();
  readonly #runs: ManagerRun[] = [];
  readonly #failures = new ReconcileFailures();
  readonly #activity: Activity;
  readonly #reconciles: ReconcileCounts;
  #closed: Promise<void> | undefined;

  constructor({ client, server, activity = new Activity(), clock = realClock, rng = realRng }: ClusterParts) {
    this.client = client;
    this.#server = server;
    this.clock = clock;
    this.rng = rng;
    this.#activity = activity;
    this.#reconciles = new ReconcileCounts(clock);
    reconcilesOf.set(this, this.#reconciles);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get kubeconfig(): string {
    return this.#server.kubeconfig;
  }

  kubeconfigOf(user: string): string {
    return this.#server.kubeconfigOf(user);
  }

  async run(options: ManagerOptions): Promise<Manager> {
    const controllers = options.controllers.map((each) =>
      countReconciles(this, this.#failures.observe(each)),
    );
    const local = localWebhooks({ ...inCluster(this, options), controllers }, this.rng);
    const running = manager(local.options);
    await rejectMissingKinds(this.client, options);
    const run = new ManagerRun(running, this.signal);
    this.#runs.push(run);
    await run.ready();
    await local.effective(this.client, this.clock);
    return running;
  }

  async eventually<T>(
    check: () => T | Promise<T>,
    { withinMs = defaultWithinMs }: EventuallyOptions = {},
  ): Promise<T> {
    return this.#noted(() => this.#attempt(check, { clock: this.clock, withinMs }));
  }

  async advance(ms: number): Promise<void> {
    const { clock } = this;
    if (!(clock instanceof VirtualClock)) {
      throw new TypeError(
        "expected a cluster with a virtual clock to advance, got another clock: " +
          "start it with startCluster({ clock: new VirtualClock() })",
      );
    }
    await clock.advance(ms, this.#rest);
  }

  async settled(): Promise<void> {
    const { clock } = this;
    const isVirtual = clock instanceof VirtualClock;
    await (isVirtual ? clock.advance(0, this.#rest) : this.#rest());
    const times = { clock: realClock, withinMs: isVirtual ? virtualWithinMs : defaultWithinMs };
    await this.#noted(() => this.#attempt(() => this.#expectIdle(), times));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Adds the reconciles and managers that fail meanwhile to the error. */
  async #noted<T>(attempt: () => Promise<T>): Promise<T> {
    const mark = this.#failures.now;
    try {
      return await attempt();
    } catch (error) {
      throw withNote(asError(error), this.#failuresSince(mark));
    }
  }

  #attempt<T>(check: () => T | Promise<T>, { clock, withinMs }: AttemptTimes): Promise<T> {
    const { signal } = this;
    if (clock instanceof VirtualClock) {
      return new AdvancingAttempts(check, { clock, withinMs, rest: this.#rest, signal }).run();
    }
    const changes = this.#server.onChange?.bind(this.#server);
    return new Promise((resolve, reject) => {
      new Attempts(check, { clock, withinMs, changes, signal, resolve, reject }).start();
    });
  }

  /** Resolves when nothing more happens until the clock moves. */
  readonly #rest = (): Promise<void> => this.#activity.rest(this.signal, () => this.#reconciles.expectEnd());

  #expectIdle(): void {
    if (this.#runs.every(({ manager: { idle } }) => idle)) return;
    const active = this.#reconciles.active.slice(0, maxShown).join(", ");
    throw new Error(`expected no reconcile in progress, got ${active || "queued keys"}`);
  }

  /** Describes the reconciles and managers that failed. The managers' failures then count as reported. */
  #failuresSince(mark: number): string {
    const reconciles = this.#failures.since(mark);
    const shown = reconciles.slice(0, maxShown);
    if (reconciles.length > maxShown) shown.push(`and ${reconciles.length - maxShown} more`);
    const failed = this.#runs.flatMap((run) => run.report() ?? []);
    return [
      shown.length > 0 ? ["\n\nReconciles that failed meanwhile:", ...shown].join("\n  ") : "",
      ...failed.map(({ message }) => `\n\nA manager of this cluster failed: ${message}`),
    ].join("");
  }

  async #close(): Promise<void> {
    this.#ended.abort(new Error("the cluster is closed"));
    await Promise.all(this.#runs.map(({ ended }) => ended));
    try {
      await this.client[Symbol.asyncDispose]();
    } finally {
      await this.#server.close();
    }
    for (const run of this.#runs) {
      const error = run.report();
      if (error) throw error;
    }
  }
}

interface AttemptTimes {
  readonly clock: Clock;
  readonly withinMs: number;
}

/** The counts of each cluster, which `countReconciles` adds to. */
const reconcilesOf = new WeakMap<Cluster, ReconcileCounts>();

/** Returns a copy of a controller whose endless reconciles are found when the clock of the cluster is advanced. */
export function countReconciles(cluster: Cluster, controller: Controller): Controller {
  const counts = reconcilesOf.get(cluster);
  return counts ? aroundReconciles(controller, counts.around) : controller;
}

/** One second less than vitest's default timeout, for the start of the cluster and of its managers. */
const defaultWithinMs = 4_000;

/** Reconciles that are in progress when everything has come to rest wait for the clock, or for another program. */
const virtualWithinMs = 1_000;

/** Maximum number of reconciles that an error names. It counts the rest. */
const maxShown = 5;

/** A manager of a cluster, from its start until the cluster is closed. Its failure is reported once. */
class ManagerRun {
  readonly manager: Manager;
  /** Resolves when the manager has ended, also if it failed. */
  readonly ended: Promise<void>;
  /** The manager's failure, until it is reported. */
  #unreported: Error | undefined;

  constructor(manager: Manager, signal: AbortSignal) {
    this.manager = manager;
    this.ended = manager.run({ signal }).catch((error: unknown) => {
      this.#unreported = asError(error);
    });
  }

  /** Resolves when the caches have synced. Rejects with the manager's failure if it ends before that. */
  async ready(): Promise<void> {
    try {
      await this.manager.ready;
    } catch (error) {
      await this.ended;
      throw this.report() ?? error;
    }
  }

  /** Returns the failure of the manager, unless it was returned before. */
  report(): Error | undefined {
    const error = this.#unreported;
    this.#unreported = undefined;
    return error;
  }
}
