import type { Clock, Logger, Metrics, Rng, Tracer } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Detector } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import type { ClusterCache, InformerSource, OtherCluster } from "./other-cluster.ts";

/** The dependencies that a manager passes to its controllers. */
export interface ControllerEnvironment {
  /** Reads declared kinds from the cache, own writes included; everything else goes to the server. */
  readonly client: Client;
  readonly cache: DeclaredCache;
  readonly informers: InformerSource;
  /** Returns the informers and the cache of another cluster. @default watching another cluster is an error */
  readonly clusterCacheOf?: ((cluster: OtherCluster) => ClusterCache) | undefined;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** @default no tracing */
  readonly tracer?: Tracer | undefined;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Detects reconcile loops and conflicting writers. @default no detection */
  readonly detector?: Detector | undefined;
}
