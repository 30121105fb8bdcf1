import type { Clock, Counter, Gauge, Histogram, Metrics } from "../base/index.ts";
import type { RestartReason } from "./reflector-state.ts";
import type { WatchHealth } from "./watch-health.ts";

type Phase = WatchHealth["phase"];

const phases = Object.keys({
  empty: 0,
  listing: 0,
  watching: 0,
  waiting: 0,
  closed: 0,
} satisfies Record<Phase, 0>) as Phase[]; // its keys are those

/** Measures a reflector, under the names that client-go's had where it had one. */
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
  readonly #heard: Gauge<"name">;
  readonly #event: Gauge<"name">;
  /** When the gauges were last set, by the monotonic clock. */
  #heardMs = Number.NEGATIVE_INFINITY;
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
    this.#lists = counter("lists_total", "Lists that were asked for, streams too");
    this.#listSeconds = histogram("list_duration_seconds", "How long a list took to come", seconds);
    this.#listItems = histogram("items_per_list", "Objects in a list", sizes);
    this.#watches = counter("watches_total", "Watches that were asked for");
    this.#shortWatches = counter("short_watches_total", "Watches that ended at once with nothing told");
    this.#watchSeconds = histogram("watch_duration_seconds", "How long a watch was open", seconds);
    this.#watchItems = histogram("items_per_watch", "Events of a watch", sizes);
    this.#restarts = metrics.counter({
      name: "reflector_restarts_total",
      help: "How often it had to begin anew, by the reason",
      labels: ["name", "reason"],
    });
    this.#phase = metrics.gauge({
      name: "reflector_phase",
      help: "1 for what it does now, 0 for what it does not",
      labels: ["name", "phase"],
    });
    this.#phaseSince = gauge("phase_since_timestamp_seconds", "Since when it does that");
    this.#heard = gauge("last_heard_timestamp_seconds", "When the server was last heard");
    this.#event = gauge("last_event_timestamp_seconds", "When an event or a bookmark last came");
  }

  phase(now: Phase): void {
    for (const phase of phases) this.#phase.set({ ...this.#labels, phase }, phase === now ? 1 : 0);
    this.#phaseSince.set(this.#labels, this.#clock.now() / 1000);
  }

  restart(reason: RestartReason): void {
    this.#restarts.add({ ...this.#labels, reason });
    if (reason === "brief") this.#shortWatches.add(this.#labels);
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

  /** Called for every chunk, so it sets the gauge once a second. @param nowMs by the monotonic clock */
  heard(nowMs: number): void {
    if (nowMs - this.#heardMs < resolutionMs) return;
    this.#heardMs = nowMs;
    this.#heard.set(this.#labels, this.#clock.now() / 1000);
  }

  /** As `heard`. */
  event(nowMs: number): void {
    if (nowMs - this.#eventMs < resolutionMs) return;
    this.#eventMs = nowMs;
    this.#event.set(this.#labels, this.#clock.now() / 1000);
  }

  /** What is not there any more has no state. */
  close(): void {
    for (const phase of phases) this.#phase.remove({ ...this.#labels, phase });
    for (const gauge of [this.#phaseSince, this.#heard, this.#event]) gauge.remove(this.#labels);
  }
}

const resolutionMs = 1000;
const seconds = [0.01, 0.1, 1, 10, 60, 300, 600];
const sizes = [0, 1, 10, 100, 1000, 10_000, 100_000];
