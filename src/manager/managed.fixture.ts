import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { type Context, type Controller, controller, owns } from "../controller/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { type Manager, type ManagerOptions, manager } from "./index.ts";

/** A manager with an embedded API server and virtual time. */
export class Managed implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly cluster: Cluster;
  readonly logged: LogEntry[] = [];
  readonly ended: AbortController = new AbortController();
  over: Promise<unknown> = Promise.resolve();

  private constructor(cluster: Cluster, clock: VirtualClock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  static async start(): Promise<Managed> {
    const clock = new VirtualClock();
    return new Managed(await startCluster({ clock, rng: seededRng(1) }), clock);
  }

  /** Creates a manager. */
  manager(controllers: readonly Controller[], options: Partial<ManagerOptions> = {}): Manager {
    const { clock, cluster } = this;
    const log = loggerTo((entry) => this.logged.push(entry));
    return manager({ controllers, client: cluster.client, clock, rng: seededRng(2), log, ...options });
  }

  /** Runs a manager without advancing time. `over` resolves with "over" or the error message. */
  async run(controllers: readonly Controller[], options: Partial<ManagerOptions> = {}): Promise<Manager> {
    const made = this.manager(controllers, options);
    this.over = made.run({ signal: this.ended.signal }).then(
      () => "over",
      (error: Error) => error.message,
    );
    await this.settle();
    return made;
  }

  /** Lets all promises and due timers settle. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  /** Returns the log messages of these levels. */
  messages(...levels: LogEntry["level"][]): string[] {
    return this.logged.filter(({ level }) => levels.includes(level)).map(({ message }) => message);
  }

  /** Stops the manager and returns its outcome. */
  async end(): Promise<unknown> {
    this.ended.abort(new Error("received SIGTERM"));
    await this.settle();
    return this.over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ended.abort(new Error("the test is over"));
    await this.clock.advance(0);
    await this.cluster.close();
  }
}

/** Returns a controller of ConfigMaps that own Secrets. */
export function reconciling(
  reconcile: (name: string, context: Context) => Promise<void>,
  name = "configmap",
): Controller {
  return controller({
    name,
    for: ConfigMap,
    on: [owns(Secret)],
    reconcile: (key, context) => reconcile(key.name, context),
  });
}
