import type { Clock, Counter, Gauge, Histogram, Metrics, Timer } from "../base/index.ts";
import { InFlight } from "./in-flight.ts";
import type { Waiting } from "./lanes.ts";

type Labels = "name" | "controller";

/**
 * Measures a queue under the names that client-go gave, with the labels and buckets of controller-runtime, so that dashboards
 * made for Go work.
 */
export class QueueMeter {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #clock: Clock;
  readonly #depth: Gauge<Labels | "priority">;
  readonly #adds: Counter<Labels>;
  readonly #waits: Histogram<Labels>;
  readonly #works: Histogram<Labels>;
  readonly #unfinished: Gauge<Labels>;
  readonly #longest: Gauge<Labels>;
  readonly #retries: Counter<Labels>;
  /** How many are in line, by their priority. */
  readonly #lines = new Map<number, Line>();
  /** The line of priorities that have none of their own. */
  #otherLine: Line | undefined;
  readonly #inFlight = new InFlight();
  #timer: Timer | undefined;

  constructor(name: string, metrics: Metrics, clock: Clock) {
    this.#labels = { name, controller: name };
    this.#clock = clock;
    const labels = ["name", "controller"] as const;
    const seconds = (metric: string, help: string): Histogram<Labels> =>
      metrics.histogram({ name: metric, help, labels, buckets });
    this.#depth = metrics.gauge({
      name: "workqueue_depth",
      help: "Keys in line, by their priority",
      labels: [...labels, "priority"],
    });
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
    this.#changeDepth(0, 0);
    for (const counter of [this.#adds, this.#retries]) counter.add(this.#labels, 0);
  }

  added(): void {
    this.#adds.add(this.#labels);
  }

  retried(): void {
    this.#retries.add(this.#labels);
  }

  /** One more is in line. */
  entered(priority: number): void {
    this.#changeDepth(priority, 1);
  }

  /** One is in line no more, or not by this priority. */
  left(priority: number): void {
    this.#changeDepth(priority, -1);
  }

  /** What was in line since then is out. */
  took(item: Waiting, nowMs: number): void {
    this.#waits.observe(this.#labels, (nowMs - item.sinceMs) / 1000);
    this.left(item.priority);
    this.#inFlight.add(item, nowMs);
    this.#timer ??= this.#clock.timer(refreshMs, () => this.#refresh(), { background: true });
  }

  done(item: Waiting, nowMs: number): void {
    this.#works.observe(this.#labels, (nowMs - this.#inFlight.remove(item)) / 1000);
  }

  /** Nothing will be out any more: says so now. */
  close(): void {
    if (!this.#timer) return;
    this.#timer.cancel();
    this.#refresh();
  }

  #changeDepth(priority: number, by: number): void {
    const line = this.#lines.get(priority) ?? this.#newLine(priority);
    line.depth += by;
    this.#depth.set(line.labels, line.depth);
  }

  #newLine(priority: number): Line {
    const labelled = (text: string): Line => ({ labels: { ...this.#labels, priority: text }, depth: 0 });
    if (this.#lines.size >= mostPriorities) {
      this.#otherLine ??= labelled(otherPriorities);
      return this.#otherLine;
    }
    const line = labelled(String(priority));
    this.#lines.set(priority, line);
    return line;
  }

  /** Once more after the last came back, which says zero. */
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

/** So many have a time series of their own; the others share one. */
const mostPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

interface Line {
  readonly labels: Readonly<Record<Labels | "priority", string>>;
  depth: number;
}
