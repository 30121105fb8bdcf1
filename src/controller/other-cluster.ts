import type { InformerFactory } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "./cache.ts";
import { CachingClient } from "./caching-client.ts";
import { DeclaredCache } from "./declared-cache.ts";

export interface OtherClusterOptions {
  /** Names the cluster in logs, metrics and messages. */
  readonly name: string;
  /**
   * Sends the requests to the other cluster. The caller closes it. All controllers share it, so their writes to the
   * other cluster have its field manager and not their own. `connect({ fieldManager })` sets the field manager;
   * `remote.client.withFieldManager("website.example.dev")` writes as one controller.
   */
  readonly client: Client;
}

/**
 * Describes a second cluster whose kinds controllers may watch. It is not contacted before a controller watches one of
 * them.
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
  if (options.name === "") throw new TypeError("expected a name for the other cluster, got an empty string");
  return new OtherCluster(options);
}

/** A cluster besides the manager's own. Only one manager may use it at a time. */
export class OtherCluster {
  readonly name: string;
  /** The client that was passed in. It does not use the cache. */
  readonly live: Client;
  readonly #cache = new DeclaredCache();
  #client: Client;

  constructor({ name, client }: OtherClusterOptions) {
    this.name = name;
    this.live = client;
    this.#client = new CachingClient({ live: client, cache: this.#cache });
  }

  /**
   * Reads watched kinds from the cache, own writes included, and everything else from the server. In a manager with
   * leader election, it cannot write after leadership is lost. Controllers and runnables that run everywhere write
   * through `live`.
   */
  get client(): Client {
    return this.#client;
  }

  get cache(): Cache {
    return this.#cache;
  }

  /** Called by the manager: sends the writes of `client` through `layer` from now on. Returns the cache. */
  join(layer: Parameters<Client["through"]>[0]): DeclaredCache {
    this.#client = new CachingClient({ live: this.live.through(layer), cache: this.#cache });
    return this.#cache;
  }
}

/** Opens informers. */
export type InformerSource = Pick<InformerFactory, "for">;

/** The informers and the cache of one cluster. */
export interface ClusterCache {
  readonly informers: InformerSource;
  readonly cache: DeclaredCache;
}
