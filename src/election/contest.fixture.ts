import { Lease, type LeaseSpec } from "../api/types/coordination/v1.ts";
import { type LogEntry, loggerTo, onAbort, seededRng, settled, VirtualClock } from "../base/index.ts";
import { type Client, ConnectionError } from "../client/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "../transport/index.ts";
import { Elector, type ElectorOptions, type Lead } from "./index.ts";

/** Start of virtual time. */
export const start = "2026-01-01T00:00:00.000000Z";

/** A server with a virtual clock, and contenders for the lease "default/crown" on it. */
export class Contest implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly client: Client;
  readonly #cluster: Cluster;
  readonly #contenders: Contender[] = [];

  constructor(cluster: Cluster, clock: VirtualClock) {
    this.#cluster = cluster;
    this.client = cluster.client;
    this.clock = clock;
  }

  contender(identity: string, options: Partial<ElectorOptions> = {}): Contender {
    const contender = new Contender(identity, this, options);
    this.#contenders.push(contender);
    return contender;
  }

  /** Writes the lease as another process would. */
  async write(spec: LeaseSpec): Promise<void> {
    const found = await this.client.get(Lease, "crown");
    if (found) await this.client.update(Lease, { ...found, spec });
    else await this.client.create(Lease, { metadata: { name: "crown" }, spec });
  }

  async lease(): Promise<LeaseSpec | undefined> {
    return (await this.client.get(Lease, "crown"))?.spec;
  }

  /** Advances virtual time. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settled();
  }

  /** Returns the seconds from the start until `happened` returns true. */
  async when(happened: () => boolean, withinMs = 120_000): Promise<number> {
    await settled();
    while (!happened()) {
      if (this.clock.monotonic() > withinMs || !(await this.clock.advanceToNext())) return Number.NaN;
    }
    return this.clock.monotonic() / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = this.#contenders.map((contender) => contender.stop());
    while (await this.clock.advanceToNext());
    await Promise.all(ends);
    await this.#cluster.close();
  }
}

export async function startContest(): Promise<Contest> {
  const clock = new VirtualClock();
  return new Contest(await startCluster({ clock, rng: seededRng(1) }), clock);
}

/** An elector with a record of its notifications. */
export class Contender {
  readonly elector: Elector;
  readonly link: Link;
  /** Leaders and events of which it was notified, in order. */
  readonly notified: string[] = [];
  readonly logged: LogEntry[] = [];
  readonly #stop = new AbortController();
  /** The result of the run: "done", or the error. */
  outcome: unknown;
  #ended: Promise<void> = Promise.resolve();

  constructor(identity: string, { client, clock }: Contest, options: Partial<ElectorOptions>) {
    this.link = new Link(client.transport);
    this.elector = new Elector({
      client: client.through(() => this.link),
      name: "crown",
      identity,
      clock,
      rng: seededRng(2),
      onNewLeader: (leader) => this.notified.push(`leader ${leader}`),
      onEvent: ({ reason, message }) => this.notified.push(`${reason}: ${message}`),
      log: loggerTo((entry) => this.logged.push(entry)),
      ...options,
    });
  }

  /** @param lead @default waits until its signal aborts */
  run(lead: Lead = untilAborted): this {
    this.outcome = undefined;
    this.#ended = this.elector.run(lead, { signal: this.#stop.signal }).then(
      () => {
        this.outcome = "done";
      },
      (error: unknown) => {
        this.outcome = error;
      },
    );
    return this;
  }

  /** Aborts the run, and resolves when it has ended. */
  stop(): Promise<void> {
    this.#stop.abort(new Error("test stopped"));
    return this.#ended;
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A transport from one contender to the server. It counts requests, and can cut, delay or respond to them. */
export class Link implements Transport {
  readonly server: string;
  readonly #inner: Transport;
  /** Methods of all requests, in order. */
  readonly methods: string[] = [];
  /** While true, no request reaches the server. */
  cut = false;
  /** Called before each request is sent. It may wait, throw, or return a response instead of the server. */
  before: (request: ApiRequest) => Promise<ApiResponse | undefined> | undefined = () => undefined;
  /** Called after the server has responded to a request. */
  after: (request: ApiRequest) => Promise<void> | undefined = () => undefined;

  constructor(inner: Transport) {
    this.#inner = inner;
    this.server = inner.server;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.methods.push(request.method);
    const instead = await this.before(request);
    if (instead) return instead;
    this.#check(request);
    const response = await this.#inner.send(request);
    await this.after(request);
    this.#check(request);
    return response;
  }

  open(request: ApiRequest): ReturnType<Transport["open"]> {
    return this.#inner.open(request);
  }

  async close(): Promise<void> {}

  #check(request: ApiRequest): void {
    request.signal?.throwIfAborted();
    if (this.cut) throw new ConnectionError("cut", { code: "ECONNRESET", request });
  }
}

/** Never resolves. Rejects when the request is aborted. */
export function forever({ signal }: ApiRequest): Promise<never> {
  return new Promise((_, reject) => void onAbort(signal, reject));
}
