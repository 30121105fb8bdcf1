import type { AnyKind, KubeObject } from "../api/index.ts";
import {
  type Clock,
  createLogger,
  guardedLogger,
  type Logger,
  type Metrics,
  noMetrics,
  type Rng,
  realClock,
  realRng,
  type Timer,
} from "../base/index.ts";
import type { Client, Collection } from "../client/index.ts";
import type { Transport } from "../transport/index.ts";
import { AdaptiveCompressor } from "./objects/adaptive-compressor.ts";
import { EntryReader } from "./objects/entry-reader.ts";
import { Slab } from "./objects/slab.ts";
import type { ListerWatcher } from "./parts/lister-watcher.ts";
import { ListerWatcherTransport } from "./parts/lister-watcher-transport.ts";
import { ObjectSink } from "./parts/object-sink.ts";
import type { ReflectorSink } from "./parts/reflector-sink.ts";
import { EntryReflector } from "./reflector/entry-reflector.ts";
import type { WatchHealth } from "./reflector/watch-health.ts";
import { minResyncMs } from "./subscription.ts";
import { checkNamespaces, type View, viewText } from "./view.ts";

/** How a reflector reads a collection. */
export interface ReflectorView<T extends KubeObject>
  extends Pick<View<T>, "managedFields" | "pageSize" | "transform"> {
  /** Interval at which `resync` of the sink is called, at least 1,000. @default never */
  readonly resyncMs?: number | undefined;
}

/** Selects the objects that a reflector reads from an API server. */
export interface SelectiveView<T extends KubeObject>
  extends ReflectorView<T>,
    Pick<View<T>, "labels" | "fields"> {
  /** @default all namespaces */
  readonly namespace?: string | undefined;
}

/** The source of a reflector: an API server, or a lister-watcher of your own. */
export type ReflectorSource<T extends KubeObject> =
  | {
      readonly client: Client;
      readonly view?: SelectiveView<T> | undefined;
      readonly listerWatcher?: undefined;
    }
  | {
      readonly listerWatcher: ListerWatcher<T>;
      readonly view?: ReflectorView<T> | undefined;
      readonly client?: undefined;
    };

export type ReflectorOptions<T extends KubeObject> = ReflectorSource<T> & {
  readonly kind: AnyKind<T>;
  /** Receives the list and every later change. */
  readonly sink: ReflectorSink<NoInfer<T>>;
  /** Name in metrics and logs. @default the kind and its selectors */
  readonly name?: string | undefined;
  /**
   * Called each time a list or watch fails. Must not throw. The reflector keeps retrying.
   *
   * @returns `true` if the failure was reported to the user: then it is logged only at level debug
   */
  readonly onError?: ((error: Error) => unknown) | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
  /** @default JSON lines on standard error */
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
};

/** Mirrors a collection into a sink. */
export interface Reflector {
  /** Lists and watches until the signal aborts. Resolves when all requests have ended. May be called once. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  readonly health: WatchHealth;
  /** Undecodable objects and their errors, by key. */
  readonly undecodable: ReadonlyMap<string, Error>;
  /** True if the sink has the first list. */
  readonly hasSynced: boolean;
  /** Resolves when the sink has the first list. Rejects if the reflector ends before. */
  readonly synced: Promise<void>;
}

/**
 * Creates a reflector: it lists a collection into a sink and watches it, as an informer does. It resumes lost watches,
 * lists again if it has to, and backs off after errors.
 *
 * An informer needs less memory and processor time for the same objects, because it keeps the bytes as they arrive.
 */
export function reflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector {
  return new ObjectReflector(options);
}

class ObjectReflector<T extends KubeObject> implements Reflector {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #entries: EntryReflector<T>;
  readonly #sink: ObjectSink<T>;
  #running = false;

  constructor(options: ReflectorOptions<T>) {
    const { kind, sink, clock = realClock, rng = realRng, metrics = noMetrics, onError } = options;
    const { view = {}, name = nameOf(options) } = options;
    checkResync(view, sink);
    this.#options = options;
    this.#clock = clock;
    const log = (options.log ? guardedLogger(options.log) : createLogger({ clock })).with({
      reflector: name,
    });
    this.#sink = new ObjectSink(sink, log);
    const compressor = new AdaptiveCompressor();
    this.#entries = new EntryReflector<T>({
      ...sourceOf(options),
      reader: new EntryReader({ ...view, kind, slab: new Slab(), compressor }),
      sink: this.#sink,
      clock,
      rng,
      log,
      metrics,
      name,
      server: { streamingLists: options.client !== undefined },
      pageSize: view.pageSize,
      onError,
    });
  }

  get health(): WatchHealth {
    return this.#entries.health;
  }

  get undecodable(): ReadonlyMap<string, Error> {
    return this.#sink.undecodable;
  }

  get hasSynced(): boolean {
    return this.#sink.synced.reached;
  }

  get synced(): Promise<void> {
    return this.#sink.synced.promise;
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#running) throw new Error("reflector already started");
    this.#running = true;
    const resync = new ResyncTimer(this.#clock, this.#sink, this.#options.view?.resyncMs);
    try {
      await this.#entries.run(signal);
    } finally {
      resync[Symbol.dispose]();
      this.#sink.synced.fail(new Error("reflector ended before its first list", { cause: signal.reason }));
    }
  }
}

/** Calls `resync` of a sink at an interval, from its first list on. */
class ResyncTimer implements Disposable {
  readonly #clock: Clock;
  readonly #sink: Pick<ObjectSink<KubeObject>, "synced" | "resync">;
  #timer: Timer | undefined;

  constructor(clock: Clock, sink: Pick<ObjectSink<KubeObject>, "synced" | "resync">, intervalMs = 0) {
    this.#clock = clock;
    this.#sink = sink;
    if (intervalMs > 0) this.#schedule(Math.max(intervalMs, minResyncMs));
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  #schedule(intervalMs: number): void {
    this.#timer = this.#clock.timer(intervalMs, () => {
      this.#schedule(intervalMs);
      if (this.#sink.synced.reached) this.#sink.resync();
    });
  }
}

interface EntrySource<T extends KubeObject> {
  readonly transport: Transport;
  readonly collection: (signal: AbortSignal) => Promise<Collection<T>>;
}

function sourceOf<T extends KubeObject>(options: ReflectorOptions<T>): EntrySource<T> {
  const { kind } = options;
  if (!options.client) {
    const transport = new ListerWatcherTransport(options.listerWatcher, kind);
    return { transport, collection: () => Promise.resolve(transport.collection) };
  }
  const { client } = options;
  const { namespace, labels, fields } = options.view ?? {};
  checkNamespaces(namespace === undefined ? [] : [namespace], "namespace");
  let stale: Collection<T> | undefined;
  return {
    transport: client.transport,
    collection: async (signal) => {
      stale = await client.collection(kind, { namespace, labels, fields, signal, stale });
      return stale;
    },
  };
}

function nameOf<T extends KubeObject>({ kind, view = {} }: ReflectorOptions<T>): string {
  if (!("namespace" in view) || view.namespace === undefined) return viewText(kind, view);
  return viewText(kind, { ...view, namespaces: [view.namespace] });
}

function checkResync(
  { resyncMs }: Pick<ReflectorView<KubeObject>, "resyncMs">,
  sink: { readonly resync?: unknown },
): void {
  if (resyncMs === undefined || sink.resync !== undefined) return;
  throw new TypeError("expected a sink with a method `resync` for the option resyncMs, got one without it");
}
