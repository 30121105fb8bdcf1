import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { type Informer, type InformerFactory, informers } from "trimtab/cache";
import { type Client, connect } from "trimtab/client";
import { perKeyBackoff, WorkQueue } from "trimtab/queue";
import { below, type Chance, chanceFrom } from "./chance.ts";
import { CountingClock } from "./counting-clock.ts";
import { victim } from "./faults.ts";
import { Replicas } from "./replicas.ts";
import { RetainedEvents } from "./retained-events.ts";
import { type Counts, megabytes } from "./sample.ts";
import { Witness } from "./witness.ts";
import { Writer } from "./writer.ts";

/** The clients on a server with faults. */
export class Ground implements AsyncDisposable {
  readonly #server: ChildProcess;
  /** URL with faults. */
  readonly #client: Client;
  /** URL without faults. */
  readonly #judge: Client;
  readonly #chance: Chance;
  readonly #clock = new CountingClock();
  readonly #writer: Writer;
  readonly #factory: InformerFactory;
  readonly #informer: Informer<ConfigMap>;
  readonly #witness = new Witness();
  readonly #retained = new RetainedEvents();
  readonly #queue: WorkQueue;
  readonly #workers: readonly Promise<void>[];
  readonly #replicas: Replicas;
  readonly #stop = new AbortController();
  #handled = 0;
  #restarts = 0;

  static async open(seed: number): Promise<Ground> {
    const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [`${seed}`]);
    const [kubeconfig]: unknown[] = await once(server, "message");
    const judge = await connect({ kubeconfig: String(kubeconfig), userAgent: "judge" });
    const ground = new Ground(server, {
      client: await connect({ kubeconfig: String(kubeconfig), userAgent: victim, log: silent }),
      judge,
      chance: chanceFrom(seed + 1),
      replicas: await Replicas.start(String(kubeconfig), judge),
    });
    await ground.#writer.createStuck();
    ground.#factory.start({ signal: ground.#stop.signal });
    return ground;
  }

  private constructor(server: ChildProcess, { client, judge, chance, replicas }: Means) {
    this.#server = server;
    this.#replicas = replicas;
    this.#client = client;
    this.#judge = judge;
    this.#chance = chance;
    this.#writer = new Writer(judge, chance);
    this.#factory = informers({ client, clock: this.#clock, log: loud });
    this.#informer = this.#factory.for(ConfigMap, { namespaces: ["default"] });
    this.#queue = new WorkQueue({ clock: this.#clock, limiter: perKeyBackoff({ maxMs: 1000 }) });
    this.#informer.on(this.#witness.handle);
    this.#informer.on(this.#retained.handle);
    this.#informer.on((event) => this.#queue.add(event.key), { resyncMs: 30_000 });
    this.#workers = Array.from({ length: 4 }, () => this.#work());
  }

  async counts(): Promise<Counts> {
    const { restarts } = this.#informer.health;
    const { leader, standby } = await this.#replicas.reports("memory");
    return {
      reconciles: leader.reconciles,
      leaderMb: megabytes(leader.bytes),
      standbyMb: megabytes(standby.bytes),
      replicaHeapMb: megabytes(Math.max(leader.heapBytes, standby.heapBytes)),
      replicaRssMb: megabytes(Math.max(leader.rssBytes, standby.rssBytes)),
      retained: this.#retained.count,
      timers: this.#clock.timers,
      writes: this.#writer.writes,
      events: this.#witness.events,
      handled: this.#handled,
      restarts: restarts + this.#restarts,
    };
  }

  /** Makes a few writes, and sometimes adds a short-lived handler or cache. */
  async step(): Promise<void> {
    for (let count = 0; count < 3; count++) await this.#writer.write();
    await this.#writer.touchStuck();
    const dice = below(this.#chance, 100);
    if (dice === 0) await this.#visitHandler();
    if (dice === 1) await this.#visitFactory();
  }

  /**
   * Resolves when every write has arrived in all caches and is processed. Frozen watches take over a minute, and so do
   * several failures in a row, because watches restart with increasing backoff.
   */
  async rest(): Promise<void> {
    let difference = await this.#difference();
    for (let tries = 0; difference !== undefined; tries++) {
      if (tries === 6000) throw new Error(this.#unrest(difference));
      await delay(100);
      difference = await this.#difference();
    }
    this.#retained.check(this.#chance);
  }

  #unrest(difference: string): string {
    const health = JSON.stringify(this.#informer.health);
    return `expected all work to end, got ${difference}; the watch is at ${health}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#replicas[Symbol.asyncDispose]();
    await this.#factory.close();
    await this.#queue.close();
    await Promise.all(this.#workers);
    await Promise.all([this.#client.close(), this.#judge.close()]);
    const gone = once(this.#server, "exit");
    this.#server.disconnect();
    await gone;
  }

  async #work(): Promise<void> {
    for await (const lease of this.#queue) {
      await delay(below(this.#chance, 3));
      this.#informer.lister.get(lease.key);
      this.#handled += 1;
      if (this.#chance.next() < 0.05) this.#queue.retry(lease.key);
      else this.#queue.forget(lease.key);
      lease[Symbol.dispose]();
    }
  }

  /** Adds a handler that receives the existing objects and leaves. */
  async #visitHandler(): Promise<void> {
    const witness = new Witness();
    await using subscription = this.#informer.on(witness.handle);
    await subscription.synced;
  }

  /** Creates a cache of one half of the objects for a short time. */
  async #visitFactory(): Promise<void> {
    await using factory = informers({ client: this.#client, clock: this.#clock, log: silent });
    const half = factory.for(ConfigMap, { labels: { half: "left" } });
    half.on(new Witness().handle);
    factory.start({ signal: this.#stop.signal });
    await factory.synced;
    this.#restarts += half.health.restarts;
  }

  async #difference(): Promise<string | undefined> {
    const list = await this.#judge.list(ConfigMap);
    const there = new Map(
      list.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion ?? ""]),
    );
    const copy = new Map(
      this.#informer.lister
        .list()
        .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion ?? ""]),
    );
    if (this.#queue.size > 0) return `${this.#queue.size} keys queued`;
    return (
      differing("the copy", copy, there) ??
      differing("a handler", this.#witness.known, there) ??
      (await this.#replicaDifference(there))
    );
  }

  async #replicaDifference(there: ReadonlyMap<string, string>): Promise<string | undefined> {
    const { leader, standby } = await this.#replicas.reports("copy");
    return (
      differing("the leader", new Map(leader.copy), there) ??
      differing("the standby", new Map(standby.copy), there) ??
      (await this.#secretDifference())
    );
  }

  /** The leader is done when every ConfigMap has its Secret. One reconcile never returns. */
  async #secretDifference(): Promise<string | undefined> {
    const [maps, secrets] = await Promise.all([this.#judge.list(ConfigMap), this.#judge.list(Secret)]);
    const wanted = maps.map(({ metadata, data }): [string, string] => [
      `${metadata.name}`,
      data?.write ?? "",
    ]);
    const found = secrets.map(({ metadata, data }): [string, string] => [
      `${metadata.name}`,
      Buffer.from(data?.write ?? "", "base64").toString(),
    ]);
    return differing("the Secrets", new Map(found), new Map(wanted));
  }
}

interface Means {
  readonly client: Client;
  readonly judge: Client;
  readonly chance: Chance;
  readonly replicas: Replicas;
}

function differing(
  who: string,
  has: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): string | undefined {
  const keys = [...new Set([...has.keys(), ...wanted.keys()])];
  const key = keys.find((each) => has.get(each) !== wanted.get(each));
  return key && `${who} with ${key} in version ${has.get(key)}, where the server has ${wanted.get(key)}`;
}

/** Failures are expected and not logged. */
const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** Failures of handlers are bugs and are logged. */
const loud = {
  ...silent,
  error(message: string, fields?: object) {
    process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
    process.exitCode = 1;
  },
  with: () => loud,
};
