import { type Clock, createLogger, realClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Manager, type ManagerOptions, manager } from "../manager/index.ts";
import { Attempts } from "./attempts.ts";

/** A control plane for tests. Disposing it is closing it. */
export interface Cluster extends AsyncDisposable {
  readonly client: Client;
  /** Aborted when it is being closed. */
  readonly signal: AbortSignal;
  /** For other programs: path of a kubeconfig file, or what KUBECONFIG says where an existing cluster was found by it. */
  readonly kubeconfig: string;
  /** Path of a kubeconfig file for one of the `users` that were asked for. */
  kubeconfigOf(user: string): string;
  /**
   * Runs controllers on this cluster until it is closed. Resolves when their caches are filled; rejects where that failed.
   * What a manager that is running fails with, `close` rejects with. Unless `log` says otherwise, warnings and errors
   * alone are logged.
   */
  run(options: ManagerOptions): Promise<Manager>;
  /**
   * Gives what `check` gives, as soon as that no longer throws. It is tried after every change to what an embedded server
   * holds, and now and then besides. Rejects with what `check` threw last, and where the cluster is closed meanwhile. It
   * goes by the cluster's clock: on virtual time, that has to be moved meanwhile.
   */
  eventually<T>(check: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /** Resolves when nothing is queued or being reconciled by the managers that run here, and nothing changes any more. */
  settled(): Promise<void>;
  /** Ends everything that was started for it. May be called again. */
  close(): Promise<void>;
}

export interface EventuallyOptions {
  /** @default 10,000 */
  readonly withinMs?: number | undefined;
}

/** A cluster without its client. */
export interface ClusterServer extends Pick<Cluster, "kubeconfig" | "kubeconfigOf" | "close"> {
  /** Calls `run` after every change. Left out where nobody tells. */
  onChange?(run: () => void): Disposable;
}

export interface ClusterParts {
  readonly client: Client;
  readonly server: ClusterServer;
  readonly clock?: Clock | undefined;
}

/** What closes the managers, then the client, and then the server. */
export function clusterOf(parts: ClusterParts): Cluster {
  return new RunningCluster(parts);
}

class RunningCluster implements Cluster {
  readonly client: Client;
  readonly #server: ClusterServer;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  readonly #managers: Manager[] = [];
  readonly #over: Promise<void>[] = [];
  #closed: Promise<void> | undefined;

  constructor({ client, server, clock = realClock }: ClusterParts) {
    this.client = client;
    this.#server = server;
    this.#clock = clock;
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
    const log = createLogger({ level: "warn", clock: this.#clock });
    const running = manager({ client: this.client, clock: this.#clock, log, ...options });
    const over = running.run({ signal: this.#ended.signal });
    over.catch(() => {}); // told by `ready`, or by `close`
    this.#over.push(over);
    this.#managers.push(running);
    await running.ready;
    return running;
  }

  eventually<T>(check: () => T | Promise<T>, { withinMs = 10_000 }: EventuallyOptions = {}): Promise<T> {
    const changes = this.#server.onChange?.bind(this.#server);
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const attempt = new Attempts(check, { clock: this.#clock, withinMs, changes, signal, resolve, reject });
      attempt.begin();
    });
  }

  async settled(): Promise<void> {
    await this.eventually(() => {
      if (!this.#managers.every(({ idle }) => idle))
        throw new Error("expected nothing to be reconciled, got something");
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#ended.abort(new Error("the cluster is closed"));
    const results = await Promise.allSettled(this.#over);
    try {
      await this.client[Symbol.asyncDispose]();
    } finally {
      await this.#server.close();
    }
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }
}
