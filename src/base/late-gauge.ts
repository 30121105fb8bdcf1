import type { Gauge as PrometheusGauge } from "prom-client";
import type { Gauge, LabelValues } from "./metrics.ts";

/**
 * A gauge that tells prom-client what it says when somebody looks: there a `set` takes microseconds, and queues set theirs
 * several times for every key.
 */
export class LateGauge<L extends string> implements Gauge<L> {
  readonly #names: readonly L[];
  readonly #values = new Map<string, { readonly labels: LabelValues<L>; value: number }>();

  constructor(names: readonly L[]) {
    this.#names = names;
  }

  set(labels: LabelValues<L>, value: number): void {
    const key = this.#key(labels);
    const known = this.#values.get(key);
    if (known) known.value = value;
    else this.#values.set(key, { labels, value });
  }

  remove(labels: LabelValues<L>): void {
    this.#values.delete(this.#key(labels));
  }

  /** All of it, in place of what `metric` said before. */
  tell(metric: PrometheusGauge<L>): void {
    metric.reset();
    for (const { labels, value } of this.#values.values()) metric.set(labels, value);
  }

  #key(labels: LabelValues<L>): string {
    let key = "";
    for (const name of this.#names) key += `${labels[name]}\0`;
    return key;
  }
}
