import { compareBytes, SortedKeys } from "./sorted-keys.ts";
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
  /** How many changes are kept for reading at earlier revisions, before `compact` is called. @default 100_000 */
  readonly historyLength?: number | undefined;
  /** How many characters of JSON the kept changes may have replaced. @default 64 Mi */
  readonly historyCharacters?: number | undefined;
}

/**
 * Keeps everything in this process, and nothing after it.
 *
 * What was is found by undoing what has changed since, so that only reads at earlier revisions pay for them. The
 * oldest changes are forgotten when there are too many to keep.
 */
export class MemoryStorage implements Storage {
  readonly #current = new Map<string, StoredEntry>();
  readonly #keys = new SortedKeys();
  /** Every change after `compacted`, by revision. Those before `#oldest` are forgotten and about to be dropped. */
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
    return revision >= this.#revision ? this.#listNow(range) : this.#listThen(range, revision);
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

  #listNow({ prefix, from, limit = Number.POSITIVE_INFINITY }: Range): StoredPage {
    const items: StoredEntry[] = [];
    for (const key of this.#keys.from(from)) {
      if (items.length >= limit || !key.startsWith(prefix)) break;
      items.push(this.#current.get(key) as StoredEntry); // every sorted key has a value
    }
    const rest = items.length > 0 ? `${items.at(-1)?.key}\0` : from;
    const remaining = limit === Number.POSITIVE_INFINITY ? 0 : this.#keys.count(rest, endOf(prefix));
    return { items, revision: this.#revision, remaining };
  }

  /** Merges the objects that have not changed since `revision` with those that were under changed keys. */
  #listThen(range: Range, revision: number): StoredPage {
    const undone = this.#undone(range, revision);
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

  /** What was under each key of the range that has changed since `revision`; `undefined` where nothing was. */
  #undone({ prefix, from }: Range, revision: number): Map<string, StoredEntry | undefined> {
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

  /** Lets go of forgotten changes once they are half of all, so that each is moved at most once. */
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

/** The objects of two sorted sequences without a common key, in order. */
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

/** After all keys that start with `prefix`: none has this character. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function charactersOf({ before }: StorageChange): number {
  return before?.json.length ?? 0;
}

/** Throws a `TooLargeError` for JSON that is too long to be stored. A character takes three bytes at most. */
function requireStorable(key: string, json: string): void {
  const bytes = json.length * 3 > maxStoredBytes ? Buffer.byteLength(json) : 0;
  if (bytes > maxStoredBytes) throw new TooLargeError(key, bytes);
}
