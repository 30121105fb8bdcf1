import type { InformerFactory } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "./cache.ts";
import { CachingClient } from "./caching-client.ts";
import { DeclaredCache } from "./declared-cache.ts";

export interface OtherClusterOptions {
  /** In logs, metrics and messages. */
  readonly name: string;
  /**
   * Stays yours to close. All controllers share it, so their writes to the other cluster have the field manager of this client and not
   * their own. `connect({ fieldManager })` sets it; `remote.client.withFieldManager("website.example.dev")` writes as one controller.
   */
  readonly client: Client;
}

/**
 * Describes another cluster than the manager's own, whose kinds controllers may watch too. Nothing is started before one does.
 *
 * ```ts
 * const remote = otherCluster({ name: "remote", client: await connect({ context: "remote" }) });
 * const websites = controller({
 *   for: Website,
 *   on: [watches(Deployment, ({ metadata }) => [metadata.name], { cluster: remote })],
 *   reconcile: async (key) => void (await remote.client.get(Deployment, key)),
 * });
 * ```
 */
export function otherCluster(options: OtherClusterOptions): OtherCluster {
  if (options.name === "") throw new TypeError("expected a name of the other cluster, got an empty one");
  return new OtherCluster(options);
}

/** Another cluster, of one manager at a time. */
export class OtherCluster {
  readonly name: string;
  /** Straight to the server. */
  readonly live: Client;
  readonly #cache = new DeclaredCache();
  #client: Client;

  constructor({ name, client }: OtherClusterOptions) {
    this.name = name;
    this.live = client;
    this.#client = new CachingClient({ live: client, cache: this.#cache });
  }

  /**
   * Reads kinds that controllers watch there from the cache, own writes included; everything else goes to that server.
   * Under a manager with leader election, its writes end with leadership. Controllers and runnables that run everywhere
   * write through `live`.
   */
  get client(): Client {
    return this.#client;
  }

  get cache(): Cache {
    return this.#cache;
  }

  /** For whoever runs controllers: from now on, what `client` writes goes through this layer. */
  join(layer: Parameters<Client["through"]>[0]): DeclaredCache {
    this.#client = new CachingClient({ live: this.live.through(layer), cache: this.#cache });
    return this.#cache;
  }
}

/** Where a kind is watched, and read from. */
export interface ClusterCache {
  readonly informers: InformerFactory;
  readonly cache: DeclaredCache;
}
