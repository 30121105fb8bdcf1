import { LateValues } from "./late-values.ts";
import type { LabelValues } from "./metrics.ts";

/**
 * A histogram that computes what prom-client shows when it is scraped. An observation by prom-client costs so much that each
 * reconcile would take 17 % more processor time: see bench/ABLATION.md.
 */
export class LateHistogram<L extends string> {
  readonly #names: readonly L[];
  readonly #bounds: readonly number[];
  readonly #cells: LateValues<L, Observed>;

  constructor(names: readonly L[], bounds: readonly number[] = usualBounds) {
    this.#names = names;
    this.#bounds = bounds;
    this.#cells = new LateValues(names, () => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
    if (names.length === 0) this.#cells.at({} as LabelValues<L>); // there are no labels: it is there from the start
  }

  observe(labels: LabelValues<L>, value: number): void {
    if (!Number.isFinite(value)) throw new TypeError(`expected a number to observe, got ${value}`);
    const observed = this.#cells.at(labels).value;
    const at = this.#bucket(value);
    observed.sum += value;
    observed.count += 1;
    if (at < observed.counts.length) observed.counts[at] = (observed.counts[at] ?? 0) + 1;
  }

  /** All of it, for a metric of this name, as prom-client gives it. */
  values(metric: string): HistogramValue[] {
    const values: HistogramValue[] = [];
    for (const { labels, value } of this.#cells.all()) {
      const shown = Object.fromEntries(this.#names.map((name) => [name, labels[name]]));
      let below = 0;
      for (const [index, le] of this.#bounds.entries()) {
        below += value.counts[index] ?? 0;
        values.push({ metricName: `${metric}_bucket`, labels: { le, ...shown }, value: below });
      }
      values.push(
        { metricName: `${metric}_bucket`, labels: { le: "+Inf", ...shown }, value: value.count },
        { metricName: `${metric}_sum`, labels: shown, value: value.sum },
        { metricName: `${metric}_count`, labels: shown, value: value.count },
      );
    }
    return values;
  }

  /** Most of what is observed is short: the first bucket that it fits in is found soon. */
  #bucket(value: number): number {
    let at = 0;
    for (const bound of this.#bounds) {
      if (value <= bound) break;
      at += 1;
    }
    return at;
  }
}

export interface HistogramValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface Observed {
  /** Of each bucket alone. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Those of the Prometheus clients, seconds of a request. */
const usualBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
