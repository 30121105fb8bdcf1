import type { Clock, Counter, Gauge, Histogram, Metrics } from "../../base/index.ts";
import type { RestartReason } from "./reflector-state.ts";
import type { WatchHealth } from "./watch-health.ts";

type Phase = WatchHealth["phase"];

const phases = Object.keys({
  empty: 0,
  listing: 0,
  watching: 0,
  waiting: 0,
  closed: 0,
} satisfies Record<Phase, 0>) as Phase[]; // exactly these keys

/** Metrics of a reflector. They have client-go's names where client-go had such a metric. */
export class ReflectorMeter {
  readonly #labels: { readonly name: string };
  readonly #clock: Clock;
  readonly #lists: Counter<"name">;
  readonly #listSeconds: Histogram<"name">;
  readonly #listItems: Histogram<"name">;
  readonly #watches: Counter<"name">;
  readonly #shortWatches: Counter<"name">;
  readonly #watchSeconds: Histogram<"name">;
  readonly #watchItems: Histogram<"name">;
  readonly #restarts: Counter<"name" | "reason">;
  readonly #phase: Gauge<"name" | "phase">;
  readonly #phaseSince: Gauge<"name">;
  readonly #received: Gauge<"name">;
  readonly #event: Gauge<"name">;
  /** Monotonic times at which the gauges were last set. */
  #receivedMs = Number.NEGATIVE_INFINITY;
  #eventMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, metrics: Metrics, clock: Clock) {
    this.#labels = { name };
    this.#clock = clock;
    const labels = ["name"] as const;
    const counter = (metric: string, help: string): Counter<"name"> =>
      metrics.counter({ name: `reflector_${metric}`, help, labels });
    const gauge = (metric: string, help: string): Gauge<"name"> =>
      metrics.gauge({ name: `reflector_${metric}`, help, labels });
    const histogram = (metric: string, help: string, buckets: readonly number[]): Histogram<"name"> =>
      metrics.histogram({ name: `reflector_${metric}`, help, labels, buckets });
    this.#lists = counter("lists_total", "Number of lists requested, including streaming lists");
    this.#listSeconds = histogram("list_duration_seconds", "Duration of a list", seconds);
    this.#listItems = histogram("items_per_list", "Number of objects in a list", sizes);
    this.#watches = counter("watches_total", "Number of watches requested");
    this.#shortWatches = counter(
      "short_watches_total",
      "Number of watches that ended at once and without an event",
    );
    this.#watchSeconds = histogram("watch_duration_seconds", "Duration of a watch", seconds);
    this.#watchItems = histogram("items_per_watch", "Number of events of a watch", sizes);
    this.#restarts = metrics.counter({
      name: "reflector_restarts_total",
      help: "Number of times the list or watch was started again, by reason",
      labels: ["name", "reason"],
    });
    this.#phase = metrics.gauge({
      name: "reflector_phase",
      help: "1 for the current phase, 0 for the others",
      labels: ["name", "phase"],
    });
    this.#phaseSince = gauge("phase_since_timestamp_seconds", "Time at which the current phase began");
    this.#received = gauge("last_heard_timestamp_seconds", "Time at which the server last sent anything");
    this.#event = gauge("last_event_timestamp_seconds", "Time of the last event or bookmark");
  }

  phase(now: Phase): void {
    for (const phase of phases) this.#phase.set({ ...this.#labels, phase }, phase === now ? 1 : 0);
    this.#phaseSince.set(this.#labels, this.#clock.now() / 1000);
  }

  restart(reason: RestartReason): void {
    this.#restarts.add({ ...this.#labels, reason });
    if (reason === "short") this.#shortWatches.add(this.#labels);
  }

  listing(): void {
    this.#lists.add(this.#labels);
  }

  listed(items: number, tookMs: number): void {
    this.#listItems.observe(this.#labels, items);
    this.#listSeconds.observe(this.#labels, tookMs / 1000);
  }

  watching(): void {
    this.#watches.add(this.#labels);
  }

  watched(events: number, openMs: number): void {
    this.#watchItems.observe(this.#labels, events);
    this.#watchSeconds.observe(this.#labels, openMs / 1000);
  }

  /** Called for every chunk, so it sets the gauge at most once a second. @param nowMs monotonic time */
  received(nowMs: number): void {
    if (nowMs - this.#receivedMs < resolutionMs) return;
    this.#receivedMs = nowMs;
    this.#received.set(this.#labels, this.#clock.now() / 1000);
  }

  /** Sets the gauge at most once a second, like `received`. */
  event(nowMs: number): void {
    if (nowMs - this.#eventMs < resolutionMs) return;
    this.#eventMs = nowMs;
    this.#event.set(this.#labels, this.#clock.now() / 1000);
  }

  /** Removes the gauges of a closed reflector. */
  close(): void {
    for (const phase of phases) this.#phase.remove({ ...this.#labels, phase });
    for (const gauge of [this.#phaseSince, this.#received, this.#event]) gauge.remove(this.#labels);
  }
}

const resolutionMs = 1000;
const seconds = [0.01, 0.1, 1, 10, 60, 300, 600];
const sizes = [0, 1, 10, 100, 1000, 10_000, 100_000];
