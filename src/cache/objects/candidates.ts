import type { LabelMatcher } from "../../api/index.ts";
import type { Entry } from "./entry.ts";
import { type EntryName, type IterateOptions, without } from "./iteration.ts";
import { matcherOf } from "./selection.ts";

/** The part of a store that an iteration reads. */
export interface IterationSource {
  readonly size: number;
  entry(namespace: string, name: string): Entry | undefined;
  /**
   * Returns the entries of the namespace and the index, in parts that are made when the iteration reaches them, because
   * an array of all entries takes longer than a time slice. Throws for an unknown index.
   */
  entryParts(options: Pick<IterateOptions, "namespace" | "index">): Iterable<readonly Entry[]>;
  /** Returns true if the index has the entry under the value. */
  isIndexed(index: NonNullable<IterateOptions["index"]>, entry: Entry): boolean;
}

/**
 * The entries that an iteration may read: those of a store and those of own writes. Selectors are evaluated when an
 * entry is read, because that parses its labels or metadata.
 */
export class Candidates {
  readonly #options: IterateOptions;
  readonly #matcher: LabelMatcher | undefined;
  readonly #store: IterationSource;
  readonly #written: IterationSource | undefined;

  constructor(options: IterateOptions, store: IterationSource, written?: IterationSource) {
    this.#options = options;
    this.#matcher = matcherOf(options.labels);
    this.#store = store;
    this.#written = written;
  }

  /** Returns the names of all candidates, each once: first those that only own writes have, then those of the store. */
  parts(): Iterable<readonly EntryName[]> {
    const parts = this.#store.entryParts(this.#options);
    const own = this.#onlyOwn();
    return own.size === 0
      ? parts
      : joined(
          [...own.values()],
          without(parts, ({ key }) => own.has(key)),
        );
  }

  /** Returns true if an entry of the store or of an own write matches all options. */
  matches(entry: Entry): boolean {
    const { index, where } = this.#options;
    if (index && !this.#store.isIndexed(index, entry) && !this.#written?.isIndexed(index, entry))
      return false;
    if (this.#matcher && !this.#matcher.matches(entry.labels())) return false;
    return where === undefined || where(entry.metadata());
  }

  #onlyOwn(): ReadonlyMap<string, Entry> {
    const own = new Map<string, Entry>();
    if (!this.#written?.size) return own;
    for (const part of this.#written.entryParts(this.#options)) {
      for (const entry of part) if (!this.#isInStore(entry)) own.set(entry.key, entry);
    }
    return own;
  }

  #isInStore({ namespace, name }: EntryName): boolean {
    const { index } = this.#options;
    const entry = this.#store.entry(namespace, name);
    return entry !== undefined && (index === undefined || this.#store.isIndexed(index, entry));
  }
}

function* joined<N>(first: readonly N[], rest: Iterable<readonly N[]>): Generator<readonly N[], void, void> {
  yield first;
  yield* rest;
}
