import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import { type Clock, TimeSlice } from "../../base/index.ts";
import type { Entry } from "./entry.ts";
import type { Selection } from "./selection.ts";

/** Selects the objects that an iteration reads: those that match every option. */
export interface IterateOptions extends Selection {
  /** Only objects that this index has under this value, such as `["node", "node-1"]`. Throws for an unknown index. */
  readonly index?: readonly [name: string, value: string] | undefined;
  /** Only objects for which this returns true. Of other objects, only the metadata is parsed. */
  readonly where?: ((metadata: ObjectMeta) => boolean) | undefined;
}

/** Namespace and name of an object. The namespace is empty for cluster-scoped objects. */
export type EntryName = Pick<Entry, "namespace" | "name">;

export interface IterationOptions<T extends KubeObject> {
  /** The objects to read, in parts that are made when they are reached. */
  readonly parts: Iterable<readonly EntryName[]>;
  /** Returns the newest version of an object, or `undefined` if it was deleted or does not match. */
  readonly read: (name: EntryName) => T | undefined;
  readonly clock: Clock;
}

/**
 * Reads the objects of a cache one by one, and lets other work of the process run every 10 ms.
 *
 * It returns every object that is in the cache when the iteration is made and when the loop reaches it, in its newest
 * version, if that still matches. It may return objects that are created meanwhile. So it is not a snapshot, but it
 * returns no object twice, and only objects that are in the cache.
 *
 * Objects are parsed when they are read, and belong to the caller. An iteration can be read once: make another to read
 * again.
 */
export class Iteration<T extends KubeObject> implements AsyncIterable<T> {
  readonly #options: IterationOptions<T>;

  constructor(options: IterationOptions<T>) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    const { parts, read, clock } = this.#options;
    const slice = new TimeSlice(clock);
    for (const part of parts) {
      for (const name of part) {
        const object = read(name);
        if (object) yield object;
        if (slice.over) await slice.pause();
      }
    }
  }

  /** Reads all objects into an array. Faster than a loop, with the same pauses. */
  async toArray(): Promise<T[]> {
    const { parts, read, clock } = this.#options;
    const slice = new TimeSlice(clock);
    const objects: T[] = [];
    for (const part of parts) {
      for (const name of part) {
        const object = read(name);
        if (object) objects.push(object);
        if (slice.over) await slice.pause();
      }
    }
    return objects;
  }

  /**
   * Returns an iteration over the objects of both, each object once.
   *
   * @param choose Returns the version to read of an object that both have
   */
  merge(other: Iteration<T>, choose: (one: T, other: T) => T): Iteration<T> {
    const { parts, read, clock } = this.#options;
    const { parts: otherParts, read: readOther } = other.#options;
    const readBoth = (name: EntryName): T | undefined => {
      const [mine, theirs] = [read(name), readOther(name)];
      return mine && theirs ? choose(mine, theirs) : (mine ?? theirs);
    };
    return new Iteration({ parts: union(parts, otherParts), read: readBoth, clock });
  }
}

function* union(...all: readonly Iterable<readonly EntryName[]>[]): Generator<EntryName[], void, void> {
  const seen = new Set<string>();
  const isSeen = ({ namespace, name }: EntryName): boolean => {
    const before = seen.size;
    return seen.add(`${namespace}/${name}`).size === before;
  };
  for (const parts of all) yield* without(parts, isSeen);
}

/** Returns the names for which `isExcluded` returns false, in parts that are small enough for a time slice. */
export function* without<N>(
  parts: Iterable<readonly N[]>,
  isExcluded: (name: N) => boolean,
): Generator<N[], void, void> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += partSize) {
      yield part.slice(start, start + partSize).filter((name) => !isExcluded(name));
    }
  }
}

const partSize = 1000;
