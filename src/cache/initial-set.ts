import type { ChangeType } from "../transport/index.ts";
import type { Entry } from "./entry.ts";
import type { Poison } from "./entry-reader.ts";

/** What a stream says there is, until it says that this was all. */
export class InitialSet {
  /** Objects of which no change was told: almost always all. */
  readonly #added: Entry[] = [];
  /** All of them by key, from the first change on. */
  #byKey: Map<string, Entry> | undefined;
  /** Objects that are there and could not be read, by key. */
  readonly #poisons = new Map<string, Poison>();

  change(type: ChangeType, entry: Entry): void {
    if (type === "added" && !this.#byKey) {
      this.#added.push(entry);
      return;
    }
    const { key } = entry;
    this.#poisons.delete(key);
    if (type === "deleted") this.#keyed().delete(key);
    else this.#keyed().set(key, entry);
  }

  /** Whether the object has been added, even if it could not be decoded, and not been deleted since. */
  has(key: string): boolean {
    return this.#keyed().has(key) || this.#poisons.has(key);
  }

  poison(key: string, poison: Poison): void {
    this.#keyed().delete(key);
    if (poison.change === "deleted") this.#poisons.delete(key);
    else this.#poisons.set(key, { ...poison, change: undefined });
  }

  entries(): Entry[] {
    return this.#byKey ? [...this.#byKey.values()] : this.#added;
  }

  /** As a list has them: they are there, whatever became of them. */
  poisons(): Iterable<Poison> {
    return this.#poisons.values();
  }

  #keyed(): Map<string, Entry> {
    this.#byKey ??= new Map(this.#added.map((entry) => [entry.key, entry]));
    return this.#byKey;
  }
}
