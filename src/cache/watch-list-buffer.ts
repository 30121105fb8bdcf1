import type { ChangeType } from "../transport/index.ts";
import type { Entry } from "./entry.ts";
import type { DecodeFailure } from "./entry-reader.ts";

/** What a stream says there is, until it says that this was all. */
export class WatchListBuffer {
  /** Objects of which no change was told: almost always all. */
  readonly #added: Entry[] = [];
  /** All of them by key, from the first change on. */
  #byKey: Map<string, Entry> | undefined;
  /** Objects that are there and could not be read, by key. */
  readonly #decodeFailures = new Map<string, DecodeFailure>();

  change(type: ChangeType, entry: Entry): void {
    if (type === "added" && !this.#byKey) {
      this.#added.push(entry);
      return;
    }
    const { key } = entry;
    this.#decodeFailures.delete(key);
    if (type === "deleted") this.#keyed().delete(key);
    else this.#keyed().set(key, entry);
  }

  /** Whether the object has been added, even if it could not be decoded, and not been deleted since. */
  has(key: string): boolean {
    return this.#keyed().has(key) || this.#decodeFailures.has(key);
  }

  decodeFailure(key: string, decodeFailure: DecodeFailure): void {
    this.#keyed().delete(key);
    if (decodeFailure.change === "deleted") this.#decodeFailures.delete(key);
    else this.#decodeFailures.set(key, { ...decodeFailure, change: undefined });
  }

  entries(): Entry[] {
    return this.#byKey ? [...this.#byKey.values()] : this.#added;
  }

  /** As a list has them: they are there, whatever became of them. */
  decodeFailures(): Iterable<DecodeFailure> {
    return this.#decodeFailures.values();
  }

  #keyed(): Map<string, Entry> {
    this.#byKey ??= new Map(this.#added.map((entry) => [entry.key, entry]));
    return this.#byKey;
  }
}
