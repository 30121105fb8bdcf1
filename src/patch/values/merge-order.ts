import type { FieldElement } from "./field-element.ts";

/** The source of an element of a merged list: its index in the live list, in the configuration, or in both. */
export interface MergedFrom {
  readonly live?: number | undefined;
  readonly config?: number | undefined;
}

/**
 * Returns the order of a merged list. Elements of the configuration keep its order. Elements that only the live list
 * has keep their position after the element they followed.
 *
 * Repeated live elements all stay if the configuration does not name them. Otherwise the element of the configuration
 * replaces them, and none of them is merged with it.
 */
export function mergeOrder(live: readonly FieldElement[], config: readonly FieldElement[]): MergedFrom[] {
  return new OrderMerge(live, config).run();
}

class OrderMerge {
  readonly #live: readonly FieldElement[];
  readonly #config: readonly FieldElement[];
  /** Index of each element in the configuration. */
  readonly #configIndexes: ReadonlyMap<FieldElement, number>;
  /** Index of each element in the live list, or -1 if it repeats. */
  readonly #liveIndexes: ReadonlyMap<FieldElement, number>;
  /** Elements of both lists that have not been taken yet, in the order of the configuration. */
  readonly #shared: FieldElement[];
  readonly #merged: MergedFrom[] = [];
  #nextLive = 0;
  #nextConfig = 0;
  #nextShared = 0;

  constructor(live: readonly FieldElement[], config: readonly FieldElement[]) {
    this.#live = live;
    this.#config = config;
    this.#configIndexes = new Map(config.map((element, index) => [element, index]));
    this.#liveIndexes = indexesIn(live);
    this.#shared = config.filter((element) => this.#liveIndexes.has(element));
  }

  run(): MergedFrom[] {
    while (this.#nextLive < this.#live.length || this.#nextConfig < this.#config.length) this.#step();
    return this.#merged;
  }

  #step(): void {
    const live = this.#live[this.#nextLive];
    if (live === undefined) return this.#takeConfig();
    if (!this.#configIndexes.has(live)) return this.#takeLive();
    if (live === this.#config[this.#nextConfig]) {
      this.#nextLive++;
      return this.#takeConfig();
    }
    this.#stepOver(live);
  }

  /** Skips a live element that the configuration places elsewhere. */
  #stepOver(live: FieldElement): void {
    const nextShared = this.#shared[this.#nextShared];
    if (live !== nextShared) this.#nextLive++;
    // Elements of the configuration before the next shared one come first, also beside a repeated element.
    if (live === nextShared || nextShared === undefined) this.#takeConfig();
  }

  #takeLive(): void {
    this.#merged.push({ live: this.#nextLive++ });
  }

  #takeConfig(): void {
    const element = this.#config[this.#nextConfig];
    if (element === undefined) return;
    const liveIndex = this.#liveIndexes.get(element);
    this.#merged.push({ live: liveIndex === -1 ? undefined : liveIndex, config: this.#nextConfig++ });
    if (element === this.#shared[this.#nextShared]) this.#nextShared++;
  }
}

function indexesIn(live: readonly FieldElement[]): Map<FieldElement, number> {
  const indexes = new Map<FieldElement, number>();
  for (const [index, element] of live.entries()) indexes.set(element, indexes.has(element) ? -1 : index);
  return indexes;
}
