import { type InformerFactory, type InformersOptions, informers } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { ClusterCache, OtherCluster } from "../controller/index.ts";

export interface OtherClustersOptions extends Omit<InformersOptions, "client" | "name" | "namespaces"> {
  /** Wraps the transport, for example to reject writes without leadership. */
  readonly layer: Parameters<Client["through"]>[0];
}

/** The other clusters that the controllers of a manager watch, each with its own informers. */
export class OtherClusters implements AsyncDisposable {
  readonly #options: OtherClustersOptions;
  readonly #caches = new Map<OtherCluster, ClusterCache>();

  constructor(options: OtherClustersOptions) {
    this.#options = options;
  }

  of(cluster: OtherCluster): ClusterCache {
    const cache = this.#caches.get(cluster) ?? this.#join(cluster);
    this.#caches.set(cluster, cache);
    return cache;
  }

  get factories(): InformerFactory[] {
    return Array.from(this.#caches.values(), ({ informers: factory }) => factory);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.factories.map((factory) => factory.close()));
  }

  #join(cluster: OtherCluster): ClusterCache {
    const { layer, ...shared } = this.#options;
    const factory = informers({ ...shared, client: cluster.live, name: cluster.name });
    return { informers: factory, cache: cluster.join(layer) };
  }
}
