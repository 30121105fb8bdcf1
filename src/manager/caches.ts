import type { AnyKind, KubeObject } from "../api/index.ts";
import { asError } from "../base/index.ts";
import { type Informer, type InformerFactory, informers, type View } from "../cache/index.ts";
import type {
  ClusterCache,
  Controller,
  DeclaredCache,
  InformerSource,
  OtherCluster,
} from "../controller/index.ts";
import type { CacheConfig, CachedPart } from "./cache-config.ts";
import { isNotServed } from "./managed-controller.ts";
import { OtherClusters, type OtherClustersOptions } from "./other-clusters.ts";
import { handledPart, watchedKinds } from "./watched-parts.ts";

export interface CachesOptions extends Omit<OtherClustersOptions, "connect"> {
  /** Lists and watches. */
  readonly client: OtherCluster["live"];
  readonly cache: DeclaredCache;
  readonly config: CacheConfig;
  /** Returns the controllers of the manager. */
  readonly controllers: () => readonly Controller[];
}

/** The informers of a running manager: those of its own cluster, and of the other clusters that controllers watch. */
export class Caches implements AsyncDisposable {
  /** Opens informers of the manager's own cluster, with its cache options. */
  readonly informers: InformerSource;
  readonly #options: CachesOptions;
  readonly #factory: InformerFactory;
  readonly #others: OtherClusters;
  /** Reconciles read the caches until the last one has ended, so only `close` ends them. */
  readonly #signal: AbortSignal = new AbortController().signal;

  constructor(options: CachesOptions) {
    const { cache, config } = options;
    this.#options = options;
    this.#factory = informers(options);
    this.informers = config.informers(this.#factory);
    this.#others = new OtherClusters({
      ...options,
      connect: (cluster, others) =>
        others.cache.connect((kind, view) => this.#open(others.informers, this.#partOf(kind, view, cluster))),
    });
    cache.connect((kind, view) => this.#open(this.#factory, this.#partOf(kind, view)));
  }

  of(cluster: OtherCluster): ClusterCache {
    return this.#others.of(cluster);
  }

  /** Starts the informers that are not started yet. */
  start(): void {
    for (const each of [this.#factory, ...this.#others.factories]) each.start({ signal: this.#signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.cache.handlers.close();
    await this.#others[Symbol.asyncDispose]();
    await this.#factory.close();
  }

  #open(source: InformerSource, { kind, view }: CachedPart): Informer<KubeObject> {
    const informer = source.for(kind, view);
    this.start();
    return informer;
  }

  /** Returns the part of a kind that an event handler receives. */
  #partOf(kind: AnyKind, view: View<KubeObject> | undefined, cluster?: OtherCluster): CachedPart {
    const part = this.#resolve({ kind, view, cluster });
    if (part.kind.metadataOnly && !kind.metadataOnly) {
      throw new TypeError(
        `expected a kind whose objects are cached for a handler, got ${kind.kind}, of which the manager caches only ` +
          `the metadata; handle metadataOnly(${kind.kind})`,
      );
    }
    if (view) return part;
    const watched = this.#options.controllers().flatMap(watchedKinds);
    const here = watched.filter((each) => each.cluster === cluster);
    return handledPart(
      kind,
      here.map((each) => this.#resolve(each)),
      part,
    );
  }

  /** The cache options apply to the manager's own cluster. */
  #resolve({ kind, view = {}, cluster }: Handled): CachedPart {
    return cluster ? { kind, view } : this.#options.config.resolve(kind, view);
  }
}

interface Handled {
  readonly kind: AnyKind;
  readonly view?: View<KubeObject> | undefined;
  readonly cluster?: OtherCluster | undefined;
}

/** Waits for the event handlers of a cache. Those of missing kinds are skipped if the manager waits for kinds. */
export async function handlersSynced(
  handlers: DeclaredCache["handlers"],
  waitsForKinds: boolean,
): Promise<void> {
  try {
    await handlers.synced;
  } catch (error) {
    if (!waitsForKinds || !isNotServed(asError(error).cause)) throw error;
  }
}
