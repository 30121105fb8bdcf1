import type { Clock, Logger, Metrics, Rng, Tracer } from "../base/index.ts";
import type { InformerFactory } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import type { Detector } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import type { ClusterCache, OtherCluster } from "./other-cluster.ts";

/** What a manager gives to the controllers it runs. */
export interface ControllerEnvironment {
  /** Reads declared kinds from the cache, own writes included; everything else goes to the server. */
  readonly client: Client;
  readonly cache: DeclaredCache;
  readonly informers: InformerFactory;
  /** Where kinds of another cluster are watched. @default nowhere: it is an error */
  readonly clusterCacheOf?: ((cluster: OtherCluster) => ClusterCache) | undefined;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** @default nothing is traced */
  readonly tracer?: Tracer | undefined;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Sees loops and fights. @default nobody does */
  readonly detector?: Detector | undefined;
}
