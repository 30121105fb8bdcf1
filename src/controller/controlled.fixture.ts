import {
  type Clock,
  type LogEntry,
  type LogFields,
  loggerTo,
  noMetrics,
  type prometheus,
  seededRng,
  type Tracer,
  VirtualClock,
} from "../base/index.ts";
import { type InformerFactory, informers } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import { Detector } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import { type Cluster, type FaultRule, startCluster } from "../testing/index.ts";
import {
  CachingClient,
  type Controller,
  type ControllerEnvironment,
  DeclaredCache,
  RunningController,
} from "./index.ts";

export interface ControlledOptions {
  readonly faults?: readonly FaultRule[];
  readonly strict?: boolean;
  readonly metrics?: ReturnType<typeof prometheus>;
  readonly tracer?: (clock: VirtualClock) => Tracer;
  /** Timers fire this much too early. @default 0 */
  readonly earlyMs?: number;
  /** True to omit log entries of the level debug. @default false */
  readonly quiet?: boolean;
}

/** Runs controllers on an embedded server and in virtual time, until it is disposed. */
export class Controlled implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly logged: LogEntry[];
  /** Recorded events: `Normal Synced default/a`. */
  readonly events: string[];
  /** The writes that controllers have sent: `PATCH /api/v1/namespaces/default/configmaps/a`. */
  readonly sent: string[] = [];
  /** A client without a cache. */
  readonly live: Client;
  readonly environment: ControllerEnvironment;
  readonly #cluster: Cluster;
  readonly #factory: InformerFactory;
  readonly #ended = new AbortController();
  readonly #running: RunningController[] = [];
  readonly #over: Promise<void>[] = [];

  static async start(options: ControlledOptions = {}): Promise<Controlled> {
    const clock = new VirtualClock();
    const cluster = await startCluster({ clock, rng: seededRng(1), faults: options.faults ?? [] });
    return new Controlled(cluster, clock, options);
  }

  private constructor(
    cluster: Cluster,
    clock: VirtualClock,
    { strict, metrics = noMetrics as never, tracer, earlyMs = 0, quiet }: ControlledOptions,
  ) {
    const rng = seededRng(2);
    this.logged = [];
    this.events = [];
    const log = loggerTo(
      (entry) => this.logged.push(entry),
      {},
      (level) => !quiet || level !== "debug",
    );
    const cache = new DeclaredCache();
    this.clock = clock;
    this.#cluster = cluster;
    this.live = cluster.client;
    this.#factory = informers({ client: cluster.client, clock, rng, log, metrics });
    const live = cluster.client.through((transport) => recordingWrites(transport, this.sent));
    const client = new CachingClient({ live, cache, strict });
    const events = recorderTo(this.events);
    const detector = new Detector({ log, metrics, clock });
    const early: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      timer: (afterMs, run) => clock.timer(afterMs - earlyMs, run),
    };
    const shared = { events, log, metrics, clock: early, rng, detector, tracer: tracer?.(clock) };
    this.environment = { client, cache, informers: this.#factory, ...shared };
  }

  /** Starts controllers in addition to those that already run. */
  async run(...controllers: readonly Controller[]): Promise<RunningController[]> {
    const running = controllers.map((controller) => new RunningController(controller, this.environment));
    for (const each of running) each.prepare();
    this.#factory.start({ signal: this.#ended.signal });
    this.#running.push(...running);
    const synced = Promise.all(running.map((each) => each.synced));
    this.#over.push(
      synced
        .then(() =>
          Promise.all(
            running.map((each) => each.work({ stop: this.#ended.signal, cancel: this.#ended.signal })),
          ),
        )
        .then(() => {}),
    );
    await this.settle();
    return running;
  }

  /** Starts informers that were declared without `run`. */
  startCaches(signal: AbortSignal): void {
    this.#factory.start({ signal });
  }

  /** Messages and fields of the logged warnings. */
  get warnings(): LogFields[] {
    const found = this.logged.filter(({ level }) => level === "warn");
    return found.map(({ message, fields }) => ({ message, ...fields }));
  }

  /** Runs everything that is due without advancing the clock. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  /** Stops the controllers, and waits until they have ended. */
  async stop(): Promise<void> {
    this.#ended.abort(new Error("the test is over"));
    await Promise.all(this.#over);
    await Promise.all(this.#running.map((each) => each.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#factory.close();
    await this.#cluster.close();
    if (this.clock.timers > 0) throw new Error(`expected no pending timer, got ${this.clock.timers}`);
  }
}

function recordingWrites(transport: Client["transport"], sent: string[]): Client["transport"] {
  return {
    server: transport.server,
    send: (request) => {
      if (request.method !== "GET") sent.push(`${request.method} ${request.path.split("?")[0]}`);
      return transport.send(request);
    },
    open: (request) => transport.open(request),
    close: () => transport.close(),
  };
}

function recorderTo(lines: string[]): EventRecorder {
  const record =
    (type: string): EventRecorder["normal"] =>
    ({ metadata }, reason) =>
      void lines.push(`${type} ${reason} ${metadata.namespace}/${metadata.name}`);
  return { normal: record("Normal"), warning: record("Warning") };
}
