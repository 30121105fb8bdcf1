import type { Clock, Counter, Gauge, Histogram, Metrics } from "../base/index.ts";

/** Measures the requests of a webhook server, under controller-runtime's names. The label `webhook` is the path. */
export class WebhookMeter {
  readonly #requests: Counter<"webhook" | "code">;
  readonly #inFlight: Gauge<"webhook">;
  readonly #latency: Histogram<"webhook">;
  readonly #panics: Counter;
  readonly #conversionPanics: Counter;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    this.#requests = metrics.counter({
      name: "controller_runtime_webhook_requests_total",
      help: "Total number of admission requests by HTTP status code.",
      labels: ["webhook", "code"],
    });
    this.#inFlight = metrics.gauge({
      name: "controller_runtime_webhook_requests_in_flight",
      help: "Current number of admission requests being served.",
      labels: ["webhook"],
    });
    this.#latency = metrics.histogram({
      name: "controller_runtime_webhook_latency_seconds",
      help: "Histogram of the latency of processing admission requests.",
      labels: ["webhook"],
      buckets: [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000],
    });
    this.#panics = metrics.counter({
      name: "controller_runtime_webhook_panics_total",
      help: "Total number of admission requests whose handler threw an error other than Denied.",
    });
    this.#conversionPanics = metrics.counter({
      name: "controller_runtime_conversion_webhook_panics_total",
      help: "Total number of conversion requests whose converter threw an error.",
    });
  }

  /** Adds the series of a path with the value 0. */
  add(webhook: string): void {
    for (const code of ["200", "500"]) this.#requests.add({ webhook, code }, 0);
    this.#inFlight.set({ webhook }, 0);
    this.#counts.set(webhook, 0);
  }

  /** Counts a request. The returned function is called with the status code at its end. */
  start(webhook: string): (code: number) => void {
    const startMs = this.#clock.monotonic();
    this.#count(webhook, 1);
    return (code) => {
      this.#count(webhook, -1);
      this.#requests.add({ webhook, code: String(code) });
      this.#latency.observe({ webhook }, (this.#clock.monotonic() - startMs) / 1000);
    };
  }

  handlerFailed(): void {
    this.#panics.add({});
  }

  converterFailed(): void {
    this.#conversionPanics.add({});
  }

  #count(webhook: string, change: number): void {
    const count = (this.#counts.get(webhook) ?? 0) + change;
    this.#counts.set(webhook, count);
    this.#inFlight.set({ webhook }, count);
  }
}
