import type { FieldElement } from "./field-element.ts";

/** Where an element of a merged list comes from: places in either list, or both where it is in both. */
export interface MergedFrom {
  readonly live?: number | undefined;
  readonly config?: number | undefined;
}

/**
 * The order of a merged list: elements of the configuration keep the order it gives them, elements that only the live
 * list has keep their place after the one they followed.
 *
 * Elements that repeat in the live list all stay where the configuration does not name them. Where it does, it alone
 * says what stands there: none of them is merged with it.
 */
export function mergeOrder(live: readonly FieldElement[], config: readonly FieldElement[]): MergedFrom[] {
  return new OrderMerge(live, config).run();
}

class OrderMerge {
  readonly #live: readonly FieldElement[];
  readonly #config: readonly FieldElement[];
  /** Where the configuration has an element. */
  readonly #wanted: ReadonlyMap<FieldElement, number>;
  /** Where the live list has an element. -1 where it has more than one of them. */
  readonly #held: ReadonlyMap<FieldElement, number>;
  /** Elements of both lists that are yet to be taken, in the order of the configuration. */
  readonly #shared: FieldElement[];
  readonly #merged: MergedFrom[] = [];
  #nextLive = 0;
  #nextConfig = 0;
  #nextShared = 0;

  constructor(live: readonly FieldElement[], config: readonly FieldElement[]) {
    this.#live = live;
    this.#config = config;
    this.#wanted = new Map(config.map((element, index) => [element, index]));
    this.#held = placesIn(live);
    this.#shared = config.filter((element) => this.#held.has(element));
  }

  run(): MergedFrom[] {
    while (this.#nextLive < this.#live.length || this.#nextConfig < this.#config.length) this.#step();
    return this.#merged;
  }

  #step(): void {
    const live = this.#live[this.#nextLive];
    if (live === undefined) return this.#takeConfig();
    if (!this.#wanted.has(live)) return this.#takeLive();
    if (live === this.#config[this.#nextConfig]) {
      this.#nextLive++;
      return this.#takeConfig();
    }
    this.#stepOver(live);
  }

  /** Passes a live element that stands, or will stand, where the configuration wants it. */
  #stepOver(live: FieldElement): void {
    const awaited = this.#shared[this.#nextShared];
    if (live !== awaited) this.#nextLive++;
    // What the configuration has before the awaited element goes before it. So it does beside one that repeats.
    if (live === awaited || awaited === undefined) this.#takeConfig();
  }

  #takeLive(): void {
    this.#merged.push({ live: this.#nextLive++ });
  }

  #takeConfig(): void {
    const element = this.#config[this.#nextConfig];
    if (element === undefined) return;
    const held = this.#held.get(element);
    this.#merged.push({ live: held === -1 ? undefined : held, config: this.#nextConfig++ });
    if (element === this.#shared[this.#nextShared]) this.#nextShared++;
  }
}

function placesIn(live: readonly FieldElement[]): Map<FieldElement, number> {
  const places = new Map<FieldElement, number>();
  for (const [index, element] of live.entries()) places.set(element, places.has(element) ? -1 : index);
  return places;
}
