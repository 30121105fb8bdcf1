import { type InformerFactory, type InformersOptions, informers } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { ClusterCache, OtherCluster } from "../controller/index.ts";

export interface OtherClustersOptions extends Omit<InformersOptions, "client" | "name" | "namespaces"> {
  /** Wraps the transport, for example to reject writes without leadership. */
  readonly layer: Parameters<Client["through"]>[0];
  /** Called once for each cluster: opens the informers of its event handlers. */
  readonly connect: (cluster: OtherCluster, caches: OtherCaches) => void;
}

export interface OtherCaches extends ClusterCache {
  readonly informers: InformerFactory;
}

/** The other clusters that the controllers of a manager watch, each with its own informers. */
export class OtherClusters implements AsyncDisposable {
  readonly #options: OtherClustersOptions;
  readonly #caches = new Map<OtherCluster, OtherCaches>();
  /** The recordings of the requests to the clusters. */
  readonly #recorded: Disposable[] = [];

  constructor(options: OtherClustersOptions) {
    this.#options = options;
  }

  of(cluster: OtherCluster): ClusterCache {
    return this.#caches.get(cluster) ?? this.#join(cluster);
  }

  get factories(): InformerFactory[] {
    return Array.from(this.#caches.values(), ({ informers: factory }) => factory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#caches.values(), ({ cache }) => cache.handlers.close()));
    await Promise.all(this.factories.map((factory) => factory.close()));
    for (const recorded of this.#recorded) recorded[Symbol.dispose]();
  }

  #join(cluster: OtherCluster): ClusterCache {
    const { layer, connect, ...shared } = this.#options;
    if (shared.metrics) this.#recorded.push(cluster.live.recordMetrics(shared.metrics));
    const factory = informers({ ...shared, client: cluster.live, name: cluster.name });
    const caches = { informers: factory, cache: cluster.join(layer) };
    this.#caches.set(cluster, caches);
    connect(cluster, caches);
    return caches;
  }
}
