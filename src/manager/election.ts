import type { Clock, Logger, PrometheusMetrics, Rng } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { Elector } from "../election/index.ts";
import { type Recorder, recorder } from "../recorder/index.ts";
import type { LeaderElectionOptions } from "./manager.ts";

export interface ElectionOptions extends LeaderElectionOptions {
  /** Must not be fenced. */
  readonly client: Client;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** The leader election of a manager. It records Events about the Lease as client-go does. */
export class Election implements AsyncDisposable {
  readonly elector: Elector;
  /** A separate recorder, because the loss of the lease is recorded after all other writes have ended. */
  readonly #events: Recorder;

  constructor(options: ElectionOptions) {
    this.#events = recorder({ ...options, component: options.name });
    this.elector = new Elector({
      ...options,
      onEvent: ({ regarding, reason, message }) => this.#events.normal(regarding, reason, message),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#events.close();
  }
}
