import type { LabelValues } from "./metrics.ts";

/**
 * The values of one metric by labels. They are copied to prom-client at scrape time: with a `set` or `inc` of
 * prom-client for each change, a reconcile takes 59 % more CPU time, histograms included. See bench/ABLATION.md.
 */
export class LateValues<L extends string, V> {
  readonly #names: readonly L[];
  readonly #initial: () => V;
  readonly #cells = new Map<string, Cell<L, V>>();
  /** The last cell and its labels object, because many callers pass the same object each time. */
  #last: Cell<L, V> | undefined;
  #lastLabels: LabelValues<L> | undefined;

  /** @param initial Returns the initial value of a series. */
  constructor(names: readonly L[], initial: () => V) {
    this.#names = names;
    this.#initial = initial;
  }

  /** Returns the mutable cell of these labels. */
  at(labels: LabelValues<L>): Cell<L, V> {
    if (this.#last !== undefined && this.#lastLabels === labels) return this.#last;
    this.#last = this.#cellOf(labels);
    this.#lastLabels = labels;
    return this.#last;
  }

  /** Removes the series of these labels, until the next `at`. */
  remove(labels: LabelValues<L>): void {
    this.#cells.delete(this.#key(labels));
    this.#last = undefined;
  }

  /** Replaces the values of `metric` by calling `write` for each series. */
  writeTo(metric: { reset(): void }, write: (labels: LabelValues<L>, value: V) => void): void {
    metric.reset();
    for (const { labels, value } of this.#cells.values()) write(labels, value);
  }

  all(): Iterable<Cell<L, V>> {
    return this.#cells.values();
  }

  #cellOf(labels: LabelValues<L>): Cell<L, V> {
    const key = this.#key(labels);
    const known = this.#cells.get(key);
    if (known) return known;
    const cell = { labels, value: this.#initial() };
    this.#cells.set(key, cell);
    return cell;
  }

  #key(labels: LabelValues<L>): string {
    let key = "";
    for (const name of this.#names) key += `${labels[name]}\0`;
    return key;
  }
}

export interface Cell<L extends string, V> {
  readonly labels: LabelValues<L>;
  value: V;
}
