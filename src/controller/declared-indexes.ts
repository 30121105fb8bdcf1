import { type KubeObject, kindName } from "../api/index.ts";
import type { Informer } from "../cache/index.ts";
import { type Index, indexText } from "./object-index.ts";

/** An index in the informers of a cache. */
interface DeclaredIndex {
  /** Names the index in the informers and in logs; unique within the cache. */
  readonly name: string;
  readonly texts: (object: KubeObject) => string[];
}

/**
 * The indexes that the controllers of one cache have declared. Every view of a kind has all indexes of the kind, also
 * views that are added later, because a lookup reads several views as one.
 */
export class DeclaredIndexes {
  readonly #declared = new Map<Index<KubeObject>, DeclaredIndex>();

  /** Adds an index to the current views of its kind. Has no effect the second time. */
  declare(index: Index<KubeObject>, informers: readonly Informer<KubeObject>[]): void {
    const declared = this.#declared.get(index) ?? declaredIndex(index, this.#declared.size + 1);
    this.#declared.set(index, declared);
    for (const informer of informers) informer.index(declared.name, declared.texts);
  }

  /** Adds the indexes of its kind to a view. */
  addTo(informer: Informer<KubeObject>): void {
    for (const [index, { name, texts }] of this.#declared) {
      if (kindName(index.kind) === kindName(informer.kind)) informer.index(name, texts);
    }
  }

  /** Returns the name of an index. Throws for one that was not declared. */
  nameOf(index: Index<KubeObject>): string {
    const declared = this.#declared.get(index);
    if (declared) return declared.name;
    throw new TypeError(
      `expected an index that a controller declares, got one of ${kindName(index.kind)} that none does; ` +
        "add it to `indexes` of the controller that uses it",
    );
  }
}

function declaredIndex({ values }: Index<KubeObject>, number: number): DeclaredIndex {
  const valuesOf = values as (object: KubeObject) => Iterable<string>; // it is only called with objects of its kind
  const texts = (object: KubeObject): string[] => Array.from(valuesOf(object), indexText);
  return { name: `${values.name || "index"}-${number}`, texts };
}
