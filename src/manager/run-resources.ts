import type { Clock, Logger, PrometheusMetrics, Rng } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { CachingClient } from "../controller/index.ts";
import type { Recorder } from "../recorder/index.ts";
import type { Caches } from "./caches.ts";

/** Dependencies of all parts of a manager. */
export interface SharedDependencies {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
}

/** Resources of a running manager. */
export interface RunResources {
  readonly client: Client;
  /** Reads from the caches. Rejects writes after leadership has ended. */
  readonly fenced: CachingClient;
  /** Reads from the caches. Writes without leadership too. */
  readonly unfenced: CachingClient;
  readonly caches: Caches;
  readonly events: Recorder;
}
