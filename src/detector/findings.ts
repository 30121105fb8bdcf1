import type { Counter, LogFields, Logger, Metrics } from "../base/index.ts";

/** The causes of findings. They are the label values of the metric. */
export type Cause = "loop" | "no-op" | "defaulting" | "fight" | "conflicts" | "requeues" | "unowned";

export interface Finding {
  readonly cause: Cause;
  /**
   * Identifies the finding together with its cause: the same cause with the same kind and fields is logged once, for
   * all objects.
   */
  readonly about: string;
  readonly message: string;
  /** How to fix it. */
  readonly advice: string;
  readonly fields: LogFields;
}

const causes = Object.keys({
  loop: true,
  "no-op": true,
  defaulting: true,
  fight: true,
  conflicts: true,
  requeues: true,
  unowned: true,
} satisfies Record<Cause, true>) as Cause[]; // the object has exactly these keys

/** Logs each finding of a controller once, and counts every occurrence. */
export class Findings {
  readonly #controller: string;
  readonly #log: Logger;
  readonly #total: Counter<"controller" | "cause">;
  /**
   * Findings that are logged. The set is bounded, so that a controller with ever new findings does not fill the log.
   */
  readonly #logged = new Set<string>();

  constructor(controller: string, log: Logger, metrics: Metrics) {
    this.#controller = controller;
    this.#log = log.with({ controller });
    this.#total = metrics.counter({
      name: "trimtab_detector_findings_total",
      help: "Loops, fights and requeue storms detected, by cause.",
      labels: ["controller", "cause"],
    });
    for (const cause of causes) this.#total.add({ controller, cause }, 0);
  }

  report({ cause, about, message, advice, fields }: Finding): void {
    this.#total.add({ controller: this.#controller, cause });
    const id = `${cause} ${about}`;
    if (this.#logged.has(id) || this.#logged.size >= maxLogged) return;
    this.#logged.add(id);
    this.#log.warn(message, { cause, ...fields, advice });
  }

  /** Logs a failure of the detector itself at debug level, because it does not affect the controller. */
  failed(error: Error): void {
    this.#log.debug("detector failed", { error });
  }
}

const maxLogged = 100;
