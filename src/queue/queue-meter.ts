import type { Clock, Counter, Gauge, Histogram, Metrics, Timer } from "../base/index.ts";
import { InFlight } from "./in-flight.ts";
import type { LaneEntry } from "./lanes.ts";

type Labels = "name" | "controller";

/**
 * Records the metrics of a queue under client-go's names, with controller-runtime's labels and buckets, so that
 * dashboards for Go operators work.
 */
export class QueueMeter {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #clock: Clock;
  readonly #depthGauge: Gauge<Labels | "priority">;
  readonly #adds: Counter<Labels>;
  readonly #waits: Histogram<Labels>;
  readonly #works: Histogram<Labels>;
  readonly #unfinished: Gauge<Labels>;
  readonly #longest: Gauge<Labels>;
  readonly #retries: Counter<Labels>;
  /** Depth by priority. */
  readonly #depths = new Map<number, Depth>();
  /** Shared depth of the priorities beyond `maxPriorities`. */
  #otherDepth: Depth | undefined;
  readonly #inFlight = new InFlight();
  #timer: Timer | undefined;

  constructor(name: string, metrics: Metrics, clock: Clock) {
    this.#labels = { name, controller: name };
    this.#clock = clock;
    const labels = ["name", "controller"] as const;
    const seconds = (metric: string, help: string): Histogram<Labels> =>
      metrics.histogram({ name: metric, help, labels, buckets });
    this.#depthGauge = metrics.gauge({
      name: "workqueue_depth",
      help: "Queued keys by priority",
      labels: [...labels, "priority"],
    });
    this.#adds = metrics.counter({ name: "workqueue_adds_total", help: "Keys added", labels });
    this.#waits = seconds(
      "workqueue_queue_duration_seconds",
      "Seconds that keys were queued before they were processed",
    );
    this.#works = seconds("workqueue_work_duration_seconds", "Seconds that the processing of keys took");
    this.#unfinished = metrics.gauge({
      name: "workqueue_unfinished_work_seconds",
      help: "Sum of the seconds that the keys in flight have been processed so far",
      labels,
    });
    this.#longest = metrics.gauge({
      name: "workqueue_longest_running_processor_seconds",
      help: "Seconds that the longest-running key in flight has been processed so far",
      labels,
    });
    this.#retries = metrics.counter({
      name: "workqueue_retries_total",
      help: "Retries and other delayed adds",
      labels,
    });
    this.#changeDepth(0, 0);
    for (const counter of [this.#adds, this.#retries]) counter.add(this.#labels, 0);
  }

  added(): void {
    this.#adds.add(this.#labels);
  }

  retried(): void {
    this.#retries.add(this.#labels);
  }

  /** Counts a key that was queued. */
  entered(priority: number): void {
    this.#changeDepth(priority, 1);
  }

  /** Counts a key that was taken, or whose priority changed from this one. */
  left(priority: number): void {
    this.#changeDepth(priority, -1);
  }

  /** Records that processing of a queued key started. */
  took(item: LaneEntry, nowMs: number): void {
    this.#waits.observe(this.#labels, (nowMs - item.sinceMs) / 1000);
    this.left(item.priority);
    this.#inFlight.add(item, nowMs);
    this.#timer ??= this.#clock.timer(refreshMs, () => this.#refresh(), { background: true });
  }

  done(item: LaneEntry, nowMs: number): void {
    this.#works.observe(this.#labels, (nowMs - this.#inFlight.remove(item)) / 1000);
  }

  /** Sets the gauges a last time, after all processing has ended, and cancels the timer. */
  close(): void {
    if (!this.#timer) return;
    this.#timer.cancel();
    this.#refresh();
  }

  #changeDepth(priority: number, by: number): void {
    const depth = this.#depths.get(priority) ?? this.#newDepth(priority);
    depth.keys += by;
    this.#depthGauge.set(depth.labels, depth.keys);
  }

  #newDepth(priority: number): Depth {
    const labelled = (label: string): Depth => ({ labels: { ...this.#labels, priority: label }, keys: 0 });
    if (this.#depths.size >= maxPriorities) {
      this.#otherDepth ??= labelled(otherPriorities);
      return this.#otherDepth;
    }
    const depth = labelled(String(priority));
    this.#depths.set(priority, depth);
    return depth;
  }

  /** Sets the gauges of running work, and repeats while keys are in flight. The last run sets them to zero. */
  #refresh(): void {
    const nowMs = this.#clock.monotonic();
    const { count, sumMs, longestMs } = this.#inFlight.measure(nowMs);
    this.#unfinished.set(this.#labels, sumMs / 1000);
    this.#longest.set(this.#labels, longestMs / 1000);
    this.#timer =
      count > 0 ? this.#clock.timer(refreshMs, () => this.#refresh(), { background: true }) : undefined;
  }
}

const refreshMs = 500;
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000];

/** Number of priorities with their own time series. Further priorities share one. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

interface Depth {
  readonly labels: Readonly<Record<Labels | "priority", string>>;
  keys: number;
}
