import type { LabelValues } from "./metrics.ts";

/**
 * The values of one metric, by labels. prom-client gets them when it is scraped: with a `set` or `inc` of prom-client for each
 * change, a reconcile would take 59 % more processor time, histograms included. See bench/ABLATION.md.
 */
export class LateValues<L extends string, V> {
  readonly #names: readonly L[];
  readonly #first: () => V;
  readonly #cells = new Map<string, Cell<L, V>>();
  /** The one asked for last, and by which object: many callers ask by the same one each time. */
  #last: Cell<L, V> | undefined;
  #lastLabels: LabelValues<L> | undefined;

  /** @param first what is said for labels at first */
  constructor(names: readonly L[], first: () => V) {
    this.#names = names;
    this.#first = first;
  }

  /** What is said for these labels, to be changed at will. */
  at(labels: LabelValues<L>): Cell<L, V> {
    if (this.#last !== undefined && this.#lastLabels === labels) return this.#last;
    this.#last = this.#cellOf(labels);
    this.#lastLabels = labels;
    return this.#last;
  }

  /** Nothing is said for these labels any more, until `at`. */
  remove(labels: LabelValues<L>): void {
    this.#cells.delete(this.#key(labels));
    this.#last = undefined;
  }

  /** Says all of it, in place of what `metric` said before. */
  tell(metric: { reset(): void }, say: (labels: LabelValues<L>, value: V) => void): void {
    metric.reset();
    for (const { labels, value } of this.#cells.values()) say(labels, value);
  }

  all(): Iterable<Cell<L, V>> {
    return this.#cells.values();
  }

  #cellOf(labels: LabelValues<L>): Cell<L, V> {
    const key = this.#key(labels);
    const known = this.#cells.get(key);
    if (known) return known;
    const cell = { labels, value: this.#first() };
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
