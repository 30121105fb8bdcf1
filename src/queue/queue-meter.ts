import type { Clock, Counter, Gauge, Histogram, Metrics, Timer } from "../base/index.ts";

/** Measures a queue under client-go's names, so that dashboards made for Go work. */
export class QueueMeter {
  readonly #labels: { readonly name: string };
  readonly #clock: Clock;
  readonly #depth: Gauge<"name">;
  readonly #adds: Counter<"name">;
  readonly #waits: Histogram<"name">;
  readonly #works: Histogram<"name">;
  readonly #unfinished: Gauge<"name">;
  readonly #longest: Gauge<"name">;
  readonly #retries: Counter<"name">;
  /** What is out, and since when. */
  readonly #out = new Map<object, number>();
  #timer: Timer | undefined;

  constructor(name: string, metrics: Metrics, clock: Clock) {
    this.#labels = { name };
    this.#clock = clock;
    const labels = ["name"] as const;
    const seconds = (metric: string, help: string): Histogram<"name"> =>
      metrics.histogram({ name: metric, help, labels, buckets });
    this.#depth = metrics.gauge({ name: "workqueue_depth", help: "Keys in line", labels });
    this.#adds = metrics.counter({ name: "workqueue_adds_total", help: "Keys added", labels });
    this.#waits = seconds("workqueue_queue_duration_seconds", "How long keys were in line");
    this.#works = seconds("workqueue_work_duration_seconds", "How long keys were out");
    this.#unfinished = metrics.gauge({
      name: "workqueue_unfinished_work_seconds",
      help: "How long the keys that are out have been so, together",
      labels,
    });
    this.#longest = metrics.gauge({
      name: "workqueue_longest_running_processor_seconds",
      help: "How long the key that is out longest has been so",
      labels,
    });
    this.#retries = metrics.counter({
      name: "workqueue_retries_total",
      help: "Keys added to be retried",
      labels,
    });
    this.depth(0);
    for (const counter of [this.#adds, this.#retries]) counter.add(this.#labels, 0);
  }

  added(): void {
    this.#adds.add(this.#labels);
  }

  retried(): void {
    this.#retries.add(this.#labels);
  }

  depth(size: number): void {
    this.#depth.set(this.#labels, size);
  }

  /** What was in line since then is out. */
  took(lease: object, sinceMs: number, depth: number): void {
    const nowMs = this.#clock.monotonic();
    this.#waits.observe(this.#labels, (nowMs - sinceMs) / 1000);
    this.depth(depth);
    this.#out.set(lease, nowMs);
    this.#timer ??= this.#clock.timer(refreshMs, () => this.#refresh(), { background: true });
  }

  done(lease: object): void {
    const nowMs = this.#clock.monotonic();
    this.#works.observe(this.#labels, (nowMs - (this.#out.get(lease) ?? nowMs)) / 1000);
    this.#out.delete(lease);
  }

  /** Nothing will be out any more: says so now. */
  close(): void {
    if (!this.#timer) return;
    this.#timer.cancel();
    this.#refresh();
  }

  /** Once more after the last came back, which says zero. */
  #refresh(): void {
    const nowMs = this.#clock.monotonic();
    const outMs = Array.from(this.#out.values(), (sinceMs) => nowMs - sinceMs);
    this.#unfinished.set(this.#labels, outMs.reduce((sum, ms) => sum + ms, 0) / 1000);
    this.#longest.set(this.#labels, Math.max(0, ...outMs) / 1000);
    const again = outMs.length > 0;
    this.#timer = again
      ? this.#clock.timer(refreshMs, () => this.#refresh(), { background: true })
      : undefined;
  }
}

const refreshMs = 500;
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];
