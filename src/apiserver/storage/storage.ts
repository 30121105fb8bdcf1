/**
 * Stores objects as JSON text under keys, with revisions.
 *
 * - One revision counts all changes: an integer that grows by one with every change. An object's resourceVersion is
 *   the revision of its last change.
 * - A change is visible to readers and reported to `onChange` before the call that makes it returns, in the order of
 *   revisions. There is no await in between, so that a reader never sees half of a change.
 * - Lists are in bytewise order of keys.
 * - A list at an earlier revision returns the objects at that revision, back to `compacted`.
 */
export interface Storage {
  /** The revision of the last change. At least 1. */
  readonly revision: number;
  /** The oldest revision that can still be read. */
  readonly compacted: number;
  get(key: string): StoredEntry | undefined;
  /**
   * Lists the entries under `prefix` at `options.revision`, or the current ones. Throws `CompactedError` for a
   * compacted revision.
   */
  list(prefix: string, options?: StorageListOptions): StoredPage;
  /**
   * Stores `json` at the next revision if the key has the `expected` revision. Throws `StaleError` if it does not, and
   * `TooLargeError` for more than `maxStoredBytes`.
   */
  put(key: string, write: StorageWrite): StoredEntry;
  /** Removes a key if it has the `expected` revision. A removal takes a revision, too. */
  remove(key: string, expected: number): RemovedEntry;
  /** Discards the history before `revision`. */
  compact(revision: number): void;
  /** Calls the listener for every change under `prefix`, as it is made, until the result is disposed. */
  onChange(prefix: string, listener: (change: StorageChange) => void): Disposable;
  close(): void;
}

export interface StoredEntry {
  readonly key: string;
  readonly revision: number;
  /** The object without resourceVersion, which is `revision`. */
  readonly json: string;
}

export interface StorageWrite {
  /** The required current revision of the key; 0 if it must not exist. */
  readonly expected: number;
  readonly json: string;
}

export interface StorageListOptions {
  /** @default the current revision */
  readonly revision?: number | undefined;
  /** Lists only keys after this one. */
  readonly after?: string | undefined;
  /** Maximum number of entries. @default no limit */
  readonly limit?: number | undefined;
}

export interface StoredPage {
  readonly items: readonly StoredEntry[];
  /** The revision of the list. */
  readonly revision: number;
  /** The number of keys after the last item. */
  readonly remaining: number;
}

export interface RemovedEntry {
  readonly last: StoredEntry;
  /** The revision of the removal. */
  readonly revision: number;
}

/** A change of one key. `before` is absent for a new key, `after` for a removed one. */
export interface StorageChange {
  readonly key: string;
  readonly revision: number;
  readonly before: StoredEntry | undefined;
  readonly after: StoredEntry | undefined;
}

/** Thrown if a key does not have the expected revision, because another request has changed it. */
export class StaleError extends Error {
  override readonly name: string = "StaleError";
  /** The current entry; absent if the key does not exist. */
  readonly current: StoredEntry | undefined;

  constructor(key: string, expected: number, current: StoredEntry | undefined) {
    super(`expected ${key} at revision ${expected}, got ${current?.revision ?? "nothing"}`);
    this.current = current;
  }
}

/** Maximum length of a stored object in bytes of UTF-8: the default limit of etcd. */
export const maxStoredBytes: number = 1.5 * 1024 * 1024;

/** Thrown if an object is longer than `maxStoredBytes`. */
export class TooLargeError extends Error {
  override readonly name: string = "TooLargeError";

  constructor(key: string, bytes: number) {
    super(`expected at most ${maxStoredBytes} bytes for ${key}, got ${bytes}`);
  }
}

/** Thrown if a revision has been compacted. */
export class CompactedError extends Error {
  override readonly name: string = "CompactedError";
  readonly compacted: number;

  constructor(revision: number, compacted: number) {
    super(`expected a revision from ${compacted} on, got ${revision}`);
    this.compacted = compacted;
  }
}
