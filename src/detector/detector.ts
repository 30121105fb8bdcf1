import type { Clock, Logger, Metrics } from "../base/index.ts";
import { Findings } from "./findings.ts";
import { Writers } from "./key-history.ts";
import { type DetectorLimits, type Limits, Monitor, type MonitorOptions } from "./monitor.ts";

export interface DetectorOptions extends DetectorLimits {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Observes the writes of a manager's controllers and the triggers of their reconciles. */
export class Detector {
  readonly #options: DetectorOptions;
  readonly #limits: Limits;
  readonly #writers = new Writers();

  constructor(options: DetectorOptions) {
    const { loops = 10, fights = 3, requeues = 100, conflictShare = 0.2 } = options;
    this.#options = options;
    this.#limits = { loops, fights, requeues, conflictShare };
    for (const [name, limit] of Object.entries(this.#limits)) {
      if (!(limit > 0)) throw new RangeError(`expected ${name} of more than 0, got ${limit}`);
    }
  }

  /** Returns the monitor of the controller with this name. */
  of(controller: string, { isUnowned }: Pick<MonitorOptions, "isUnowned"> = {}): Monitor {
    const { log, metrics, clock } = this.#options;
    const findings = new Findings(controller, log, metrics);
    return new Monitor({
      controller,
      limits: this.#limits,
      findings,
      writers: this.#writers,
      clock,
      isUnowned,
    });
  }
}
