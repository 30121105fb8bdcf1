import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type AnyKind, isNewer, type KubeObject } from "../../api/index.ts";
import { ConfigMap } from "../../api/types/core/v1.ts";
import { loggerTo, noMetrics, seededRng, VirtualClock } from "../../base/index.ts";
import type { Client } from "../../client/index.ts";
import { type EmbeddedOptions, type FaultRule, startCluster } from "../../testing/index.ts";
import type { ApiRequest, OpenResponse, Transport } from "../../transport/index.ts";
import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import { EntryReader } from "../objects/entry-reader.ts";
import { Store } from "../objects/store.ts";
import { EntryReflector } from "./entry-reflector.ts";
import type { EntrySink } from "./entry-sink.ts";
import { lost } from "./scripted-transport.fixture.ts";

export interface EmbeddedReflectorOptions extends Pick<EmbeddedOptions, "faults" | "kinds"> {
  readonly kind?: AnyKind<KubeObject> | undefined;
  readonly pageSize?: number | undefined;
  readonly seed?: number | undefined;
  /** Called before the reflector starts. */
  readonly prepare?: ((client: Client) => Promise<void>) | undefined;
  /** Changes requests of the reflector. */
  readonly onRequest?: ((request: ApiRequest) => ApiRequest) | undefined;
}

/** A reflector of an embedded server, on a virtual clock and a network that can fail. */
export interface EmbeddedReflector extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly client: Client;
  readonly network: Network;
  readonly mirror: VersionMirror;
  readonly reflector: EntryReflector<KubeObject>;
  /** Reasons of its restarts. */
  readonly reasons: ReadonlySet<string>;
  /** Expects the mirror to have the objects of the server. */
  expectCaughtUp(): Promise<void>;
  /** Returns true if the mirror has the objects of the server. */
  caughtUp(): Promise<boolean>;
}

export async function embeddedReflector(options: EmbeddedReflectorOptions = {}): Promise<EmbeddedReflector> {
  const { kind = ConfigMap, pageSize, seed = 1, faults = [], kinds, onRequest } = options;
  const clock = new VirtualClock();
  const rng = seededRng(seed);
  const cluster = await startCluster({ clock, rng, faults: faults.map(onReflector), kinds });
  const { client } = cluster;
  await options.prepare?.(client);
  const network = new Network(client.transport, onRequest);
  const mirror = new VersionMirror();
  const reasons = new Set<string>();
  const { slab } = new Store();
  const reflector = new EntryReflector({
    collection: () => client.collection(kind),
    transport: network,
    reader: new EntryReader({ kind, slab }),
    sink: mirror,
    clock,
    rng,
    log: loggerTo(({ fields: { reason } }) => {
      if (typeof reason === "string") reasons.add(reason);
    }),
    metrics: noMetrics,
    name: "test",
    pageSize,
  });
  const stored = async (): Promise<VersionMirror["versions"]> => {
    const objects = await client.list(kind);
    return new Map(objects.map(({ metadata }) => [metadata.name ?? "", metadata.resourceVersion ?? ""]));
  };
  const ended = new AbortController();
  const running = reflector.run(ended.signal);
  return {
    clock,
    client,
    network,
    mirror,
    reflector,
    reasons,
    async expectCaughtUp() {
      expect(mirror.versions).toEqual(await stored());
      expect(slab.used).toBe(0); // this sink stores no entry, so none may be left
    },
    caughtUp: async () => isDeepStrictEqual(mirror.versions, await stored()),
    async [Symbol.asyncDispose]() {
      ended.abort(new Error("the test is over"));
      await running;
      await cluster.close();
      await clock.advance(0);
      expect(clock.timers).toBe(0);
    },
  };
}

/** Restricts a fault to the reflector, so that the test itself meets none. */
function onReflector(rule: FaultRule): FaultRule {
  return { ...rule, on: { ...rule.on, userAgent } } as FaultRule; // it stays a rule for watches
}

const userAgent = "reflector";

/** A sink that keeps the resource version of each object by name, and throws if one goes back. */
export class VersionMirror implements EntrySink {
  versions = new Map<string, string>();
  readonly backlog: number = 0;
  /** Number of lists received. */
  lists = 0;
  readonly #newest = new Map<string, string>();

  replace(entries: readonly Entry[]): void {
    this.lists += 1;
    this.versions = new Map();
    for (const entry of entries) this.#put(entry);
  }

  change({ type, entry }: WatchDelta): void {
    this.#put(entry);
    if (type === "deleted") this.versions.delete(entry.name);
  }

  bookmark(): void {}

  decodeFailed({ error }: { readonly error: Error }): void {
    throw error;
  }

  flush(): void {}

  whenDrained(run: () => void): void {
    run();
  }

  #put({ name, resourceVersion }: Entry): void {
    const newest = this.#newest.get(name);
    if (newest && isNewer(newest, resourceVersion)) {
      throw new Error(`expected ${name} after version ${newest}, got ${resourceVersion}`);
    }
    this.#newest.set(name, resourceVersion);
    this.versions.set(name, resourceVersion);
  }
}

/** A network that can fail. */
export class Network implements Transport {
  readonly #inner: Transport;
  readonly #onRequest: (request: ApiRequest) => ApiRequest;
  readonly #cuts = new Set<AbortController>();
  /** Paths of all requests. */
  readonly paths: string[] = [];
  #down = false;

  constructor(inner: Transport, onRequest: (request: ApiRequest) => ApiRequest = (request) => request) {
    this.#inner = inner;
    this.#onRequest = onRequest;
  }

  get server(): string {
    return this.#inner.server;
  }

  /** Breaks every connection, and refuses new ones until `recover`. */
  fail(): void {
    this.#down = true;
    for (const cut of this.#cuts) cut.abort(lost("ECONNRESET"));
    this.#cuts.clear();
  }

  recover(): void {
    this.#down = false;
  }

  async open(request: ApiRequest): Promise<OpenResponse> {
    this.paths.push(request.path);
    if (this.#down) throw lost("ECONNREFUSED");
    const cut = new AbortController();
    this.#cuts.add(cut);
    const signal = AbortSignal.any([cut.signal, request.signal ?? cut.signal]);
    const headers = { ...request.headers, "user-agent": userAgent };
    return this.#inner.open(this.#onRequest({ ...request, headers, signal }));
  }

  send: Transport["send"] = (request) => this.#inner.send(request);

  async close(): Promise<void> {}
}
