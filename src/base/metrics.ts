/**
 * Creates metrics. Names, labels and buckets are those of client-go and controller-runtime if they have an equivalent.
 */
export interface Metrics {
  counter<L extends string = never>(definition: MetricDefinition<L>): Counter<L>;
  gauge<L extends string = never>(definition: MetricDefinition<L>): Gauge<L>;
  histogram<L extends string = never>(definition: HistogramDefinition<L>): Histogram<L>;
}

export interface MetricDefinition<L extends string = never> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[] | undefined;
}

export interface HistogramDefinition<L extends string = never> extends MetricDefinition<L> {
  /** Upper bounds, ascending. @default the Prometheus client's own */
  readonly buckets?: readonly number[] | undefined;
}

export type LabelValues<L extends string> = Readonly<Record<L, string>>;

export interface Counter<L extends string = never> {
  /** @param by @default 1 */
  add(labels: LabelValues<L>, by?: number): void;
}

export interface Gauge<L extends string = never> {
  set(labels: LabelValues<L>, value: number): void;
  remove(labels: LabelValues<L>): void;
}

export interface Histogram<L extends string = never> {
  observe(labels: LabelValues<L>, value: number): void;
}

/** Discards all measurements. */
export const noMetrics: Metrics = {
  counter: () => ({ add() {} }),
  gauge: () => ({ set() {}, remove() {} }),
  histogram: () => ({ observe() {} }),
};
