import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import type { DecodeFailure } from "../objects/entry-reader.ts";

/**
 * Buffers the initial events of a streaming list (`sendInitialEvents`) until the bookmark that ends them. Until then
 * the set is incomplete, so nothing of it reaches the sink.
 */
export class WatchListBuffer {
  /** The objects, as long as all events are additions, which is almost always so. */
  readonly #added: Entry[] = [];
  /** All objects by key, from the first other event on. */
  #byKey: Map<string, Entry> | undefined;
  /** Undecodable objects, by key. */
  readonly #decodeFailures = new Map<string, DecodeFailure>();

  change({ type, entry }: WatchDelta): void {
    if (type === "added" && !this.#byKey) {
      this.#added.push(entry);
      return;
    }
    const { key } = entry;
    this.#decodeFailures.delete(key);
    if (type === "deleted") this.#keyed().delete(key);
    else this.#keyed().set(key, entry);
  }

  /** Returns true if the object was added, even if it was undecodable, and not deleted since. */
  has(key: string): boolean {
    return this.#keyed().has(key) || this.#decodeFailures.has(key);
  }

  decodeFailed(key: string, failure: DecodeFailure): void {
    this.#keyed().delete(key);
    if (failure.change === "deleted") this.#decodeFailures.delete(key);
    else this.#decodeFailures.set(key, { ...failure, change: undefined });
  }

  entries(): Entry[] {
    return this.#byKey ? [...this.#byKey.values()] : this.#added;
  }

  /** Returns the failures without event types, as a list has them. */
  decodeFailures(): Iterable<DecodeFailure> {
    return this.#decodeFailures.values();
  }

  #keyed(): Map<string, Entry> {
    this.#byKey ??= new Map(this.#added.map((entry) => [entry.key, entry]));
    return this.#byKey;
  }
}
