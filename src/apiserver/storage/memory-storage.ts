import { compareBytes } from "../../schema/index.ts";
import { SortedKeys } from "./sorted-keys.ts";
import {
  CompactedError,
  maxStoredBytes,
  type RemovedEntry,
  StaleError,
  type Storage,
  type StorageChange,
  type StorageListOptions,
  type StorageWrite,
  type StoredEntry,
  type StoredPage,
  TooLargeError,
} from "./storage.ts";

export interface MemoryStorageOptions {
  /** Maximum number of changes that are kept for reads at earlier revisions. @default 100_000 */
  readonly historyLength?: number | undefined;
  /** Maximum number of JSON characters in the replaced versions of the kept changes. @default 64 Mi */
  readonly historyCharacters?: number | undefined;
}

/**
 * Keeps all objects in memory.
 *
 * A list at an earlier revision is computed by undoing later changes, so only such lists pay for the history. The
 * oldest changes are discarded when the history is full.
 */
export class MemoryStorage implements Storage {
  readonly #current = new Map<string, StoredEntry>();
  readonly #keys = new SortedKeys();
  /**
   * All changes after `compacted`, by revision. Those before `#oldest` are discarded, and dropped from the array later.
   */
  #changes: StorageChange[] = [];
  #oldest = 0;
  #replacedCharacters = 0;
  #revision = 1;
  #compacted = 1;
  readonly #listeners = new Map<string, Set<(change: StorageChange) => void>>();
  readonly #historyLength: number;
  readonly #historyCharacters: number;

  constructor({ historyLength = 100_000, historyCharacters = 64 * 2 ** 20 }: MemoryStorageOptions = {}) {
    this.#historyLength = historyLength;
    this.#historyCharacters = historyCharacters;
  }

  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get(key: string): StoredEntry | undefined {
    return this.#current.get(key);
  }

  list(prefix: string, { revision = this.#revision, after, limit }: StorageListOptions = {}): StoredPage {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    const range = { prefix, from: after === undefined ? prefix : `${after}\0`, limit };
    return revision >= this.#revision ? this.#listCurrent(range) : this.#listAtRevision(range, revision);
  }

  put(key: string, { expected, json }: StorageWrite): StoredEntry {
    const before = this.#expect(key, expected);
    requireStorable(key, json);
    const after: StoredEntry = { key, revision: this.#revision + 1, json };
    if (!before) this.#keys.add(key);
    this.#current.set(key, after);
    this.#commit({ key, revision: after.revision, before, after });
    return after;
  }

  remove(key: string, expected: number): RemovedEntry {
    const last = this.#expect(key, expected);
    if (!last) throw new StaleError(key, expected, undefined);
    const revision = this.#revision + 1;
    this.#keys.remove(key);
    this.#current.delete(key);
    this.#commit({ key, revision, before: last, after: undefined });
    return { last, revision };
  }

  compact(revision: number): void {
    while (this.#oldestRevision() <= revision) this.#forgetOldest();
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision));
    this.#dropForgotten();
  }

  onChange(prefix: string, listener: (change: StorageChange) => void): Disposable {
    const listeners = this.#listeners.get(prefix) ?? new Set();
    this.#listeners.set(prefix, listeners.add(listener));
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  close(): void {
    this.#listeners.clear();
  }

  #expect(key: string, expected: number): StoredEntry | undefined {
    const current = this.#current.get(key);
    if ((current?.revision ?? 0) !== expected) throw new StaleError(key, expected, current);
    return current;
  }

  #commit(change: StorageChange): void {
    this.#revision = change.revision;
    this.#changes.push(change);
    this.#replacedCharacters += charactersOf(change);
    while (this.#historyFull()) this.#forgetOldest();
    this.#dropForgotten();
    for (const [prefix, listeners] of this.#listeners) {
      if (change.key.startsWith(prefix)) for (const listener of listeners) listener(change);
    }
  }

  #listCurrent({ prefix, from, limit = Number.POSITIVE_INFINITY }: Range): StoredPage {
    const items: StoredEntry[] = [];
    for (const key of this.#keys.from(from)) {
      if (items.length >= limit || !key.startsWith(prefix)) break;
      items.push(this.#current.get(key) as StoredEntry); // every sorted key has a value
    }
    const rest = items.length > 0 ? `${items.at(-1)?.key}\0` : from;
    const remaining = limit === Number.POSITIVE_INFINITY ? 0 : this.#keys.count(rest, endOf(prefix));
    return { items, revision: this.#revision, remaining };
  }

  /** Merges the objects that are unchanged since `revision` with the earlier versions of changed ones. */
  #listAtRevision(range: Range, revision: number): StoredPage {
    const undone = this.#versionsAt(range, revision);
    const earlier = [...undone.values()].filter((stored) => stored !== undefined);
    earlier.sort((one, other) => compareBytes(one.key, other.key));
    const { limit = Number.POSITIVE_INFINITY } = range;
    const items: StoredEntry[] = [];
    for (const stored of merged(this.#unchanged(range, undone), earlier)) {
      if (items.length >= limit) break;
      items.push(stored);
    }
    const changed = [...undone.keys()].filter((key) => this.#current.has(key)).length;
    const total = this.#keys.count(range.from, endOf(range.prefix)) - changed + earlier.length;
    return { items, revision, remaining: total - items.length };
  }

  *#unchanged(
    { prefix, from }: Range,
    changed: ReadonlyMap<string, unknown>,
  ): Generator<StoredEntry, void, void> {
    for (const key of this.#keys.from(from)) {
      if (!key.startsWith(prefix)) return;
      if (!changed.has(key)) yield this.#current.get(key) as StoredEntry; // every sorted key has a value
    }
  }

  /**
   * Returns the earlier version of each key in the range that changed after `revision`; `undefined` if it did not
   * exist.
   */
  #versionsAt({ prefix, from }: Range, revision: number): Map<string, StoredEntry | undefined> {
    const undone = new Map<string, StoredEntry | undefined>();
    for (let at = this.#changes.length - 1; at >= this.#oldest; at--) {
      const change = this.#changes[at];
      if (!change || change.revision <= revision) break;
      const { key } = change;
      if (key.startsWith(prefix) && compareBytes(key, from) >= 0) undone.set(key, change.before);
    }
    return undone;
  }

  #historyFull(): boolean {
    const length = this.#changes.length - this.#oldest;
    return length > this.#historyLength || (length > 0 && this.#replacedCharacters > this.#historyCharacters);
  }

  #oldestRevision(): number {
    return this.#changes[this.#oldest]?.revision ?? Number.POSITIVE_INFINITY;
  }

  #forgetOldest(): void {
    const change = this.#changes[this.#oldest];
    if (!change) return;
    this.#oldest += 1;
    this.#replacedCharacters -= charactersOf(change);
    this.#compacted = change.revision;
  }

  /**
   * Drops discarded changes from the array once they are more than half of it, so that each change is moved at most
   * once.
   */
  #dropForgotten(): void {
    if (this.#oldest * 2 <= this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#oldest);
    this.#oldest = 0;
  }
}

/** Keys that start with `prefix`, from `from` on. */
interface Range {
  readonly prefix: string;
  readonly from: string;
  readonly limit?: number | undefined;
}

/** Merges two sorted sequences without a common key. */
function* merged(
  one: Iterable<StoredEntry>,
  other: readonly StoredEntry[],
): Generator<StoredEntry, void, void> {
  let next = 0;
  for (const stored of one) {
    for (let first = other[next]; first && compareBytes(first.key, stored.key) < 0; first = other[next]) {
      yield first;
      next += 1;
    }
    yield stored;
  }
  yield* other.slice(next);
}

/** Returns a key after all keys that start with `prefix`. No key contains this character. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function charactersOf({ before }: StorageChange): number {
  return before?.json.length ?? 0;
}

/** Throws a `TooLargeError` if the JSON is too long. A UTF-16 unit takes three bytes at most. */
function requireStorable(key: string, json: string): void {
  const bytes = json.length * 3 > maxStoredBytes ? Buffer.byteLength(json) : 0;
  if (bytes > maxStoredBytes) throw new TooLargeError(key, bytes);
}
