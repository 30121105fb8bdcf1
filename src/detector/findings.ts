import type { Counter, LogFields, Logger, Metrics } from "../base/index.ts";

/** What can be wrong with a controller. The label of the metric. */
export type Cause = "loop" | "no-op" | "defaulting" | "fight" | "conflicts" | "requeues" | "unowned";

export interface Finding {
  readonly cause: Cause;
  /** What is told once: the same cause of the same kind and fields is the same finding, whatever the object. */
  readonly about: string;
  readonly message: string;
  /** What to do. */
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
} satisfies Record<Cause, true>) as Cause[]; // they are its keys

/** Tells of each finding of a controller once, and counts it each time. */
export class Findings {
  readonly #controller: string;
  readonly #log: Logger;
  readonly #total: Counter<"controller" | "cause">;
  /** What was told, and is not told again. At most so many, that a controller with ever new troubles does not fill the log. */
  readonly #told = new Set<string>();

  constructor(controller: string, log: Logger, metrics: Metrics) {
    this.#controller = controller;
    this.#log = log.with({ controller });
    this.#total = metrics.counter({
      name: "trimtab_detector_findings_total",
      help: "Turns of loops, fights and storms that were noticed, by their cause.",
      labels: ["controller", "cause"],
    });
    for (const cause of causes) this.#total.add({ controller, cause }, 0);
  }

  report({ cause, about, message, advice, fields }: Finding): void {
    this.#total.add({ controller: this.#controller, cause });
    const id = `${cause} ${about}`;
    if (this.#told.has(id) || this.#told.size >= mostTold) return;
    this.#told.add(id);
    this.#log.warn(message, { cause, ...fields, advice });
  }

  /** A failure of the detector itself is nobody's trouble but ours. */
  failed(error: Error): void {
    this.#log.debug("the detector failed", { error });
  }
}

const mostTold = 100;
