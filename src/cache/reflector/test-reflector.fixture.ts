import { expect } from "vitest";
import type { AnyKind } from "../../api/index.ts";
import { ConfigMap } from "../../api/types/core/v1.ts";
import {
  type Clock,
  type LogEntry,
  loggerTo,
  type Metrics,
  noMetrics,
  seededRng,
  VirtualClock,
} from "../../base/index.ts";
import { clientOver } from "../../client/index.ts";
import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import { type DecodeFailure, EntryReader, type EntryReaderOptions } from "../objects/entry-reader.ts";
import { Store } from "../objects/store.ts";
import { EntryReflector } from "./entry-reflector.ts";
import type { EntrySink } from "./entry-sink.ts";
import { type Scripted, ScriptedTransport, Stream, status } from "./scripted-transport.fixture.ts";

export interface TestReflectorOptions {
  readonly kind?: AnyKind<ConfigMap> | undefined;
  readonly pageSize?: number | undefined;
  readonly metrics?: Metrics | undefined;
  readonly seed?: number | undefined;
  readonly transform?: EntryReaderOptions<ConfigMap>["transform"];
  /** Makes the clock of the reflector from the virtual one. */
  readonly clock?: ((clock: VirtualClock) => Clock) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onError?: ((error: Error) => unknown) | undefined;
  /** Called when the collection is resolved. */
  readonly onResolve?: (() => Promise<void>) | undefined;
}

/** A reflector on a scripted transport and a virtual clock. It runs until it is disposed. */
export class TestReflector implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly transport: ScriptedTransport;
  readonly sink = new RecordingSink();
  readonly errors: string[] = [];
  readonly logged: LogEntry[] = [];
  readonly reflector: EntryReflector<ConfigMap>;
  readonly running: Promise<void>;
  readonly #ended = new AbortController();

  constructor(replies: readonly Scripted[], options: TestReflectorOptions = {}) {
    const { kind = ConfigMap, transform, pageSize, metrics = noMetrics, seed = 1 } = options;
    const clock = options.clock?.(this.clock) ?? this.clock;
    const rng = seededRng(seed);
    this.transport = new ScriptedTransport(...replies);
    const client = clientOver(this.transport, { namespace: "home", clock, rng });
    const { slab } = new Store();
    this.reflector = new EntryReflector({
      async collection() {
        await options.onResolve?.();
        return client.collection(kind);
      },
      transport: this.transport,
      reader: new EntryReader({ kind, slab, transform }),
      sink: this.sink,
      clock,
      rng,
      log: loggerTo((entry) => this.logged.push(entry)),
      metrics,
      name: "configmaps",
      pageSize,
      onError: (error) => {
        this.errors.push(error.message);
        return options.onError?.(error);
      },
    });
    this.running = this.reflector.run(options.signal ?? this.#ended.signal);
  }

  /** Returns the requests since the last call, in short form. */
  async requests(): Promise<string[]> {
    await this.clock.advance(0);
    return this.transport.paths.splice(0).map(shortForm);
  }

  /** Returns what the sink received since the last call. */
  async received(): Promise<string[]> {
    await this.clock.advance(0);
    return this.sink.log.splice(0);
  }

  /** Advances time to the next requests. @returns the elapsed time and the requests */
  async next(): Promise<{ readonly afterMs: number; readonly requests: string[] }> {
    const startMs = this.clock.monotonic();
    await this.clock.advance(0);
    while (this.transport.paths.length === 0) await this.clock.advanceToNext();
    return { afterMs: this.clock.monotonic() - startMs, requests: await this.requests() };
  }

  /** Ends the reflector, and expects that no timer and no stream is left. */
  async end(): Promise<void> {
    this.#ended.abort(new Error("the test is over"));
    await this.running;
    const open = this.transport.streams.filter(({ closed }) => !closed).length;
    expect({ timers: this.clock.timers, open }).toEqual({ timers: 0, open: 0 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

/** Returns a reflector that watches an empty collection from version 10 on, and the stream of that watch. */
export async function watchingReflector(
  replies: readonly Scripted[] = [],
  options?: TestReflectorOptions,
): Promise<{ readonly reflector: TestReflector; readonly stream: Stream } & AsyncDisposable> {
  const stream = new Stream().lines(initialEnd("10"));
  const reflector = new TestReflector([stream, ...replies], options);
  await reflector.received();
  await reflector.requests();
  return { reflector, stream, [Symbol.asyncDispose]: () => reflector.end() };
}

/** A sink that records what it receives, in short form. */
export class RecordingSink implements EntrySink {
  readonly log: string[] = [];
  /** Number of records in each flushed batch. */
  readonly batches: number[] = [];
  backlog = 0;
  #drained: (() => void)[] = [];
  #since = 0;

  replace(entries: readonly Entry[], resourceVersion: string): void {
    this.#record(["replace", resourceVersion, ...entries.map(nameOf)].join(" "));
  }

  change({ type, entry }: WatchDelta): void {
    this.#record(`${type} ${nameOf(entry)}`);
  }

  bookmark(resourceVersion: string): void {
    this.#record(`bookmark ${resourceVersion}`);
  }

  decodeFailed({ key, resourceVersion }: DecodeFailure): void {
    this.#record(`undecodable ${key} ${resourceVersion}`);
  }

  flush(): void {
    if (this.#since > 0) this.batches.push(this.#since);
    this.#since = 0;
  }

  whenDrained(run: () => void): void {
    this.#drained.push(run);
  }

  drain(): void {
    this.backlog = 0;
    for (const run of this.#drained.splice(0)) run();
  }

  #record(line: string): void {
    this.log.push(line);
    this.#since += 1;
  }
}

function nameOf({ name, resourceVersion }: Entry): string {
  return `${name}@${resourceVersion}`;
}

/** `stream ""`, `list 10 limit 500`, `list continue c`, `watch 10`. */
function shortForm(path: string): string {
  const { searchParams: query } = new URL(path, "http://host");
  const what = query.has("sendInitialEvents") ? "stream" : query.has("watch") ? "watch" : "list";
  const token = query.get("continue");
  const from = token === null ? query.get("resourceVersion") || '""' : `continue ${token}`;
  const limit = query.get("limit");
  return [what, from, ...(limit === null ? [] : ["limit", limit])].join(" ");
}

export const object = (name: string, resourceVersion: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "home", resourceVersion },
});

const event = (type: string) => (name: string, resourceVersion: string) => ({
  type,
  object: object(name, resourceVersion),
});
export const added = event("ADDED");
export const modified = event("MODIFIED");
export const deleted = event("DELETED");

export const bookmark = (resourceVersion: string, end?: string) => ({
  type: "BOOKMARK",
  object: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      resourceVersion,
      ...(end !== undefined && { annotations: { "k8s.io/initial-events-end": end } }),
    },
  },
});

/** The bookmark that ends the initial events. */
export const initialEnd = (resourceVersion: string) => bookmark(resourceVersion, "true");

export const error = (code: number, reason: string, more: object = {}) => ({
  type: "ERROR",
  object: status({ code, reason, ...more }),
});

/** A list, or a page of a list. */
export const list = (resourceVersion: string, items: readonly object[], token?: string) => ({
  body: { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion, continue: token }, items },
});
