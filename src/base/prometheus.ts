import { createRequire } from "node:module";
import type { Gauge as PrometheusGauge, Registry } from "prom-client";
import { LateGauge } from "./late-gauge.ts";
import type { Gauge, HistogramDefinition, MetricDefinition, Metrics } from "./metrics.ts";

/** Metrics that can be scraped. */
export interface PrometheusMetrics extends Metrics {
  /** All of it in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/**
 * Metrics kept by prom-client, in `registry` or one of their own. Asking twice for a name gives the same metric,
 * so that many clients and queues of one process can share it; its help, labels and buckets are those asked for first.
 */
export function prometheus(registry?: Registry): PrometheusMetrics {
  const client = createRequire(import.meta.url)("prom-client") as typeof import("prom-client");
  const home = registry ?? new client.Registry();
  const common = <L extends string>({ name, help, labels = [] }: MetricDefinition<L>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [home],
  });
  /** What is registered under `name`; asking for it as another type of metric is the caller's mistake. */
  const existing = <M>(name: string, type: abstract new (...args: never[]) => M): M | undefined => {
    const metric: unknown = home.getSingleMetric(name);
    if (metric === undefined || metric instanceof type) return metric;
    throw new Error(`expected metric ${name} to be a ${type.name}, got one registered as something else`);
  };
  return {
    contentType: home.contentType,
    text: () => home.metrics(),
    counter(definition) {
      const metric = existing(definition.name, client.Counter) ?? new client.Counter(common(definition));
      return { add: (labels, by = 1) => metric.inc(labels, by) };
    },
    gauge<L extends string>(definition: MetricDefinition<L>) {
      const known = existing(definition.name, client.Gauge);
      if (known) return ours.get(known) ?? gaugeOf(known);
      const gauge = new LateGauge<L>(definition.labels ?? []);
      const metric: PrometheusGauge<L> = new client.Gauge<L>({
        ...common(definition),
        collect: () => gauge.tell(metric),
      });
      ours.set(metric, gauge);
      return gauge;
    },
    histogram<L extends string>(definition: HistogramDefinition<L>) {
      const buckets = definition.buckets && { buckets: [...definition.buckets] };
      const metric =
        existing(definition.name, client.Histogram) ??
        new client.Histogram({ ...common(definition), ...buckets });
      return { observe: (labels, value) => metric.observe(labels, value) };
    },
  };
}

/** The gauges that were made here, by what stands for them in a registry. */
const ours = new WeakMap<object, Gauge<string>>();

/** One that somebody else made. */
function gaugeOf(metric: PrometheusGauge): Gauge<string> {
  return { set: (labels, value) => metric.set(labels, value), remove: (labels) => metric.remove(labels) };
}
