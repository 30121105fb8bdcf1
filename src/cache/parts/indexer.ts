import { type Frozen, type KubeObject, keyOf, type ObjectKey, parseKey } from "../../api/index.ts";
import type { Entry } from "../objects/entry.ts";
import type { IndexValues } from "../objects/field-index.ts";
import type { IterateOptions, Iteration } from "../objects/iteration.ts";
import { ObjectWriter } from "../objects/object-writer.ts";
import type { Selection } from "../objects/selection.ts";
import { indexError, type ReadonlyIndexer, Store } from "../objects/store.ts";
import type { ReflectorSink } from "./reflector-sink.ts";

/**
 * A store of objects of one kind, by namespace and name, with indexes. An informer keeps its objects in the same store.
 *
 * ```ts
 * const pods = new Indexer<Pod>({ node: (pod) => [pod.spec.nodeName ?? ""] });
 * pods.add(pod);
 * pods.by("node", "worker-1");
 * ```
 *
 * It keeps each object as bytes outside the V8 heap, compressed if there are many, so later changes of an object that
 * was added do not reach the store. It keeps any version that it is given, also an older one. A write that throws
 * changes nothing.
 */
export class Indexer<T extends KubeObject> implements ReadonlyIndexer<T>, ReflectorSink<T> {
  readonly #store: Store<T>;
  readonly #writer: ObjectWriter;

  /** @param indexes functions that return the values under which an index has an object; `namespace` is built in */
  constructor(indexes: Readonly<Record<string, IndexValues<T>>> = {}) {
    this.#store = new Store<T>({
      onIndexError: (error, index, entry) => {
        throw indexError(error, index, entry);
      },
    });
    this.#writer = new ObjectWriter(this.#store.slab);
    for (const [name, values] of Object.entries(indexes)) this.index(name, values);
  }

  get size(): number {
    return this.#store.size;
  }

  /** Adds an object, or replaces its version in the store. */
  add(object: T): void {
    this.#store.put(this.#entry(object));
  }

  /** Does the same as `add`. */
  update(object: T): void {
    this.add(object);
  }

  /** Removes an object. Does nothing if the store does not have it. */
  delete(object: T | ObjectKey | string): void {
    const key = typeof object === "object" && "metadata" in object ? keyOf(object) : object;
    const { namespace = "", name } = parseKey(key);
    this.#store.remove(namespace, name);
  }

  /** Replaces all objects. */
  replace(objects: readonly T[]): void {
    const entries = this.#entries(objects);
    const kept = new Set(entries.map(({ key }) => key));
    for (const entry of [...this.#store.entries()])
      if (!kept.has(entry.key)) this.#store.remove(entry.namespace, entry.name);
    for (const entry of entries) this.#store.put(entry);
  }

  /** Adds an index over stored and future objects. Throws if the name is taken, or the function throws. */
  index(name: string, values: IndexValues<T>): void {
    this.#store.index(name, values);
  }

  get(key: ObjectKey | string): T | undefined {
    return this.#store.get(key);
  }

  list(selection?: Selection): T[] {
    return this.#store.list(selection);
  }

  iterate(options?: IterateOptions): Iteration<T> {
    return this.#store.iterate(options);
  }

  by(index: string, value: string): T[] {
    return this.#store.by(index, value);
  }

  indexKeys(index: string, value: string): string[] {
    return this.#store.indexKeys(index, value);
  }

  indexValues(index: string): string[] {
    return this.#store.indexValues(index);
  }

  view(key: ObjectKey | string): Frozen<T> | undefined {
    return this.#store.view(key);
  }

  views(selection?: Selection): Frozen<T>[] {
    return this.#store.views(selection);
  }

  viewsBy(index: string, value: string): Frozen<T>[] {
    return this.#store.viewsBy(index, value);
  }

  keys(): Iterable<string> {
    return this.#store.keys();
  }

  #entries(objects: readonly T[]): Entry[] {
    const entries: Entry[] = [];
    try {
      for (const object of objects) entries.push(this.#entry(object));
    } catch (error) {
      for (const entry of entries) this.#store.slab.drop(entry);
      throw error;
    }
    return entries;
  }

  /** Returns the entry of an object, with its index values. */
  #entry(object: T): Entry {
    const entry = this.#writer.entry(object);
    try {
      this.#store.computeIndexes(entry, object);
    } catch (error) {
      this.#store.slab.drop(entry);
      throw error;
    }
    return entry;
  }
}
