import type { KubeObject, ObjectMeta } from "../api/index.ts";
import { type Clock, TimeSlice } from "../base/index.ts";
import type { Entry } from "./entry.ts";
import type { Selection } from "./selection.ts";

/** Which objects an iteration reads. It reads those that match every option. */
export interface IterateOptions extends Selection {
  /** Only objects that this index has under this value, such as `["node", "node-1"]`. Throws for an unknown index. */
  readonly index?: readonly [name: string, value: string] | undefined;
  /** Only objects whose metadata passes. No more than the metadata is parsed of objects that do not pass. */
  readonly where?: ((metadata: ObjectMeta) => boolean) | undefined;
}

/** Namespace and name of an object. The namespace is empty for cluster-scoped objects. */
export type EntryName = Pick<Entry, "namespace" | "name">;

export interface IterationOptions<T extends KubeObject> {
  /** The objects to read, in order. */
  readonly names: Iterable<EntryName>;
  /** Returns the newest version of an object, or `undefined` if it was deleted or does not match. */
  readonly read: (name: EntryName) => T | undefined;
  readonly clock: Clock;
}

/**
 * Reads the objects of a cache one by one, and lets other work of the process run every 10 ms.
 *
 * It reads every object that the cache has when the iteration is made, and has when the loop reaches it: in its newest version
 * then, and not at all if it does not match any more. It may read objects that are created meanwhile. So it is not a snapshot
 * of one moment, but it returns no object twice, and none that the cache has not.
 *
 * Objects are parsed when they are read, and belong to the caller.
 */
export class Iteration<T extends KubeObject> implements AsyncIterable<T> {
  readonly #options: IterationOptions<T>;

  constructor(options: IterationOptions<T>) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    const { names, read, clock } = this.#options;
    const slice = new TimeSlice(clock);
    for (const name of names) {
      const object = read(name);
      if (object) yield object;
      if (slice.over) await slice.pause();
    }
  }

  /** Reads all objects into an array. Faster than a loop, and pauses in the same way. */
  async toArray(): Promise<T[]> {
    const { names, read, clock } = this.#options;
    const slice = new TimeSlice(clock);
    const objects: T[] = [];
    for (const name of names) {
      const object = read(name);
      if (object) objects.push(object);
      if (slice.over) await slice.pause();
    }
    return objects;
  }

  /**
   * Returns an iteration over the objects of both, each object once.
   *
   * @param choose Returns the version to read of an object that both have
   */
  merge(other: Iteration<T>, choose: (one: T, other: T) => T): Iteration<T> {
    const [{ names, read, clock }, { names: others, read: readOther }] = [this.#options, other.#options];
    const readBoth = (name: EntryName): T | undefined => {
      const [mine, theirs] = [read(name), readOther(name)];
      return mine && theirs ? choose(mine, theirs) : (mine ?? theirs);
    };
    return new Iteration({ names: union(names, others), read: readBoth, clock });
  }
}

/** Finds out lazily which names are in both, so that this is part of the time slices too. */
function union(some: Iterable<EntryName>, others: Iterable<EntryName>): Iterable<EntryName> {
  return {
    *[Symbol.iterator]() {
      const seen = new Set<string>();
      for (const names of [some, others]) {
        for (const name of names) {
          const key = `${name.namespace}/${name.name}`;
          if (!seen.has(key)) yield name;
          seen.add(key);
        }
      }
    },
  };
}
