import { createRequire } from "node:module";
import type { Counter as PrometheusCounter, Gauge as PrometheusGauge, Registry } from "prom-client";
import { LateHistogram } from "./late-histogram.ts";
import { LateValues } from "./late-values.ts";
import type { Counter, Gauge, Histogram, HistogramDefinition, MetricDefinition, Metrics } from "./metrics.ts";
import { processMetricsText } from "./process-metrics.ts";

/** Metrics that Prometheus can scrape. */
export interface PrometheusMetrics extends Metrics {
  /** Returns all metrics in the Prometheus text format. */
  text(options?: MetricsTextOptions): Promise<string>;
  readonly contentType: string;
}

export interface MetricsTextOptions {
  /**
   * True to add prom-client's default metrics of this process, such as `process_cpu_seconds_total`, unless the registry
   * has them. @default false
   */
  readonly process?: boolean | undefined;
}

/**
 * Returns metrics that prom-client keeps in `registry`, or in a new registry. The second definition of a name returns
 * the first metric, so that clients and queues of one process can share it; help, labels and buckets are those of the
 * first definition.
 */
export function prometheus(registry?: Registry): PrometheusMetrics {
  const client = createRequire(import.meta.url)("prom-client") as typeof import("prom-client");
  const ownRegistry = registry ?? new client.Registry();
  const common = <L extends string>({ name, help, labels = [] }: MetricDefinition<L>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [ownRegistry],
  });
  /** Returns the metric registered under `name`. Throws if it has another type. */
  const existing = <M>(name: string, type: abstract new (...args: never[]) => M): M | undefined => {
    const metric: unknown = ownRegistry.getSingleMetric(name);
    if (metric === undefined || metric instanceof type) return metric;
    throw new Error(
      `expected metric ${name} to be a ${type.name}, got one that is registered as another type`,
    );
  };
  return {
    contentType: ownRegistry.contentType,
    async text({ process = false } = {}) {
      const own = await ownRegistry.metrics(); // last, because the OpenMetrics format ends with a mark
      return process ? (await processMetricsText(client, ownRegistry)) + own : own;
    },
    counter<L extends string>(definition: MetricDefinition<L>) {
      const known = existing(definition.name, client.Counter);
      if (known) return counters.get(known) ?? { add: (labels, by = 1) => known.inc(labels, by) };
      const values = new LateValues(definition.labels ?? [], zero);
      const metric: PrometheusCounter<L> = new client.Counter<L>({
        ...common(definition),
        collect: () => values.writeTo(metric, (labels, value) => metric.inc(labels, value)),
      });
      const counter: Counter<L> = { add: (labels, by = 1) => count(values.at(labels), by) };
      counters.set(metric, counter);
      return counter;
    },
    gauge<L extends string>(definition: MetricDefinition<L>) {
      const known = existing(definition.name, client.Gauge);
      if (known) return gauges.get(known) ?? gaugeOf(known);
      const values = new LateValues(definition.labels ?? [], zero);
      const metric: PrometheusGauge<L> = new client.Gauge<L>({
        ...common(definition),
        collect: () => values.writeTo(metric, (labels, value) => metric.set(labels, value)),
      });
      const gauge: Gauge<L> = {
        set(labels, value) {
          values.at(labels).value = value;
        },
        remove: (labels) => values.remove(labels),
      };
      gauges.set(metric, gauge);
      return gauge;
    },
    histogram<L extends string>(definition: HistogramDefinition<L>) {
      const known = existing(definition.name, client.Histogram);
      if (known) return histograms.get(known) ?? { observe: (labels, value) => known.observe(labels, value) };
      const { name, help, labels = [], buckets } = definition;
      const histogram = new LateHistogram<L>(labels, buckets);
      const metric = new client.Histogram<L>(common(definition));
      const metadata = { name, help, type: "histogram", aggregator: "sum" };
      const get = async (): Promise<object> => ({ ...metadata, values: histogram.values(name) });
      Object.assign(metric, { get, getForPromString: get }); // a registry calls one or the other
      histograms.set(metric, histogram);
      return histogram;
    },
  };
}

/** Metrics of this module by their prom-client metric. */
const counters = new WeakMap<object, Counter<string>>();
const gauges = new WeakMap<object, Gauge<string>>();
const histograms = new WeakMap<object, Histogram<string>>();

const zero = (): number => 0;

/** Returns a gauge for a prom-client gauge that other code registered. */
function gaugeOf(metric: PrometheusGauge): Gauge<string> {
  return { set: (labels, value) => metric.set(labels, value), remove: (labels) => metric.remove(labels) };
}

function count(cell: { value: number }, by: number): void {
  if (!(by >= 0)) throw new RangeError(`expected a counter to count up, got ${by}`);
  cell.value += by;
}
