import { type InformerFactory, type InformersOptions, informers } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { ClusterCache, OtherCluster } from "../controller/index.ts";

export interface OtherClustersOptions extends Omit<InformersOptions, "client" | "name" | "namespaces"> {
  /** What writes go through, as one that lets none pass without leadership. */
  readonly layer: Parameters<Client["through"]>[0];
}

/** The other clusters that the controllers of a manager watch, each with its own informers. */
export class OtherClusters implements AsyncDisposable {
  readonly #options: OtherClustersOptions;
  readonly #places = new Map<OtherCluster, ClusterCache>();

  constructor(options: OtherClustersOptions) {
    this.#options = options;
  }

  of(cluster: OtherCluster): ClusterCache {
    const place = this.#places.get(cluster) ?? this.#join(cluster);
    this.#places.set(cluster, place);
    return place;
  }

  get factories(): InformerFactory[] {
    return Array.from(this.#places.values(), (place) => place.informers);
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
