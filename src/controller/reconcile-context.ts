import type { Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Monitor, Observation } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { Cache } from "./cache.ts";
import { CachingClient } from "./caching-client.ts";
import type { Context } from "./controller.ts";
import type { Reason } from "./reason.ts";
import type { RunId } from "./run-id.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ReconcileContextOptions {
  readonly surroundings: Surroundings;
  readonly monitor: Monitor | undefined;
  /** Of the controller. */
  readonly log: Logger;
  readonly key: string;
  readonly id: RunId;
  readonly signal: AbortSignal;
  readonly reasons: readonly Reason[];
  readonly attempt: number;
}

/** What one reconcile is given. Its client and its logger are made when it first looks at them: many look at neither. */
export class ReconcileContext implements Context {
  readonly signal: AbortSignal;
  readonly reasons: readonly Reason[];
  readonly attempt: number;
  readonly #options: ReconcileContextOptions;
  #client: Client | undefined;
  #log: Logger | undefined;
  #observation: Observation | undefined;

  constructor(options: ReconcileContextOptions) {
    this.signal = options.signal;
    this.reasons = options.reasons;
    this.attempt = options.attempt;
    this.#options = options;
  }

  get client(): Client {
    this.#client ??= this.#observed(this.#options.surroundings.client);
    return this.#client;
  }

  get cache(): Cache {
    return this.#options.surroundings.cache;
  }

  get events(): EventRecorder {
    return this.#options.surroundings.events;
  }

  get log(): Logger {
    const { log, id, key } = this.#options;
    this.#log ??= log.with(id.fields(key));
    return this.#log;
  }

  /** The reconcile is over: what was seen of it is taken down, where there is something to add it to. */
  end(): void {
    const { monitor, key } = this.#options;
    if (!monitor) return;
    if (this.#observation || monitor.history(key)) this.#observe(monitor)[Symbol.dispose]();
  }

  #observed(client: Client): Client {
    const { monitor } = this.#options;
    return monitor && client instanceof CachingClient ? client.observedBy(this.#observe(monitor)) : client;
  }

  #observe(monitor: Monitor): Observation {
    this.#observation ??= new Observation(monitor, this.#options.key, this.reasons);
    return this.#observation;
  }
}
