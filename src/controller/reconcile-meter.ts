import type { Counter, Gauge, Histogram, LabelValues, Metrics } from "../base/index.ts";

export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

/** Reports the metrics that controller-runtime has for controllers, with the same names. */
export class ReconcileMeter {
  readonly #controller: { readonly controller: string };
  readonly #results: Readonly<Record<ReconcileResult, LabelValues<"controller" | "result">>>;
  readonly #total: Counter<"controller" | "result">;
  readonly #errors: Counter<"controller">;
  readonly #terminal: Counter<"controller">;
  readonly #panics: Counter<"controller">;
  readonly #timeouts: Counter<"controller">;
  readonly #seconds: Histogram<"controller">;
  readonly #active: Gauge<"controller">;
  readonly #reasons: Counter<"controller" | "kind" | "event">;
  /**
   * Labels of the reason that was counted last. They are reused, because the next reason often has the same kind and
   * event.
   */
  #lastReason: LabelValues<"controller" | "kind" | "event"> | undefined;
  #activeWorkers = 0;

  constructor(controller: string, concurrency: number, metrics: Metrics) {
    const labels = ["controller"] as const;
    this.#controller = { controller };
    this.#results = {
      success: { controller, result: "success" },
      error: { controller, result: "error" },
      requeue: { controller, result: "requeue" },
      requeue_after: { controller, result: "requeue_after" },
    };
    this.#total = metrics.counter({
      name: "controller_runtime_reconcile_total",
      help: "Reconciles by result.",
      labels: ["controller", "result"],
    });
    this.#errors = metrics.counter({
      name: "controller_runtime_reconcile_errors_total",
      help: "Reconciles that failed.",
      labels,
    });
    this.#terminal = metrics.counter({
      name: "controller_runtime_terminal_reconcile_errors_total",
      help: "Reconciles that failed with a terminal error and are not retried.",
      labels,
    });
    this.#panics = metrics.counter({
      name: "controller_runtime_reconcile_panics_total",
      help: "Reconciles that threw a value that is not an Error.",
      labels,
    });
    this.#timeouts = metrics.counter({
      name: "controller_runtime_reconcile_timeouts_total",
      help: "Reconciles that exceeded their timeout.",
      labels,
    });
    this.#seconds = metrics.histogram({
      name: "controller_runtime_reconcile_time_seconds",
      help: "Duration of reconciles in seconds.",
      labels,
      buckets,
    });
    this.#active = metrics.gauge({
      name: "controller_runtime_active_workers",
      help: "Workers that are reconciling.",
      labels,
    });
    this.#reasons = metrics.counter({
      name: "trimtab_reconcile_reasons_total",
      help: "Reasons of reconciles, by kind and event.",
      labels: ["controller", "kind", "event"],
    });
    metrics
      .gauge({
        name: "controller_runtime_max_concurrent_reconciles",
        help: "Maximum concurrent reconciles.",
        labels,
      })
      .set(this.#controller, concurrency);
    this.#active.set(this.#controller, 0);
    for (const labels of Object.values(this.#results)) this.#total.add(labels, 0);
    for (const counter of [this.#errors, this.#terminal, this.#panics, this.#timeouts]) {
      counter.add(this.#controller, 0);
    }
  }

  started(reasons: readonly { readonly kind: string; readonly event: string }[]): void {
    this.#activeWorkers += 1;
    this.#active.set(this.#controller, this.#activeWorkers);
    for (const { kind, event } of reasons) {
      let labels = this.#lastReason;
      if (labels?.kind !== kind || labels.event !== event) labels = { ...this.#controller, kind, event };
      this.#lastReason = labels;
      this.#reasons.add(labels);
    }
  }

  ended(result: ReconcileResult, ms: number): void {
    this.#activeWorkers -= 1;
    this.#active.set(this.#controller, this.#activeWorkers);
    this.#total.add(this.#results[result]);
    this.#seconds.observe(this.#controller, ms / 1000);
  }

  failed(how: { readonly terminal: boolean; readonly panic: boolean; readonly timeout: boolean }): void {
    this.#errors.add(this.#controller);
    if (how.terminal) this.#terminal.add(this.#controller);
    if (how.panic) this.#panics.add(this.#controller);
    if (how.timeout) this.#timeouts.add(this.#controller);
  }
}

const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
