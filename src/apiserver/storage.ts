/**
 * Keeps objects as JSON text under keys, at revisions.
 *
 * - There is one revision for all of it, a whole number that grows by one with every change; an object's
 *   resourceVersion is the revision of its last change.
 * - A change is seen by readers and reported to `onChange` before the call that makes it returns, in the order of
 *   revisions. There is no await in between: a reader never sees half of a change.
 * - Lists are in bytewise order of keys.
 * - What is read at an earlier revision is what was there then, as far back as `compacted`; before that it is gone.
 */
export interface Storage {
  /** Of the last change. At least 1. */
  readonly revision: number;
  /** Earlier revisions than this can no longer be read. */
  readonly compacted: number;
  get(key: string): StoredEntry | undefined;
  /** What is under `prefix`, at `options.revision` or now. Throws `CompactedError` where that is gone. */
  list(prefix: string, options?: StorageListOptions): StoredPage;
  /**
   * Stores `json` of the next revision, if the key is as `expected`. Throws `StaleError` where it is not, and
   * `TooLargeError` for more than `maxStoredBytes`.
   */
  put(key: string, write: StorageWrite): StoredEntry;
  /** Removes it, if it is as `expected`. Removal takes a revision too. */
  remove(key: string, expected: number): RemovedEntry;
  /** Forgets what was before `revision`. */
  compact(revision: number): void;
  /** Told of every change under `prefix`, as it is made. Disposing it ends that. */
  onChange(prefix: string, listener: (change: StorageChange) => void): Disposable;
  close(): void;
}

export interface StoredEntry {
  readonly key: string;
  readonly revision: number;
  /** Without resourceVersion: that is `revision`. */
  readonly json: string;
}

export interface StorageWrite {
  /** The revision the key must have now; 0: it must not exist. */
  readonly expected: number;
  readonly json: string;
}

export interface StorageListOptions {
  /** @default now */
  readonly revision?: number | undefined;
  /** Only keys after this one. */
  readonly after?: string | undefined;
  /** No more than so many. @default all */
  readonly limit?: number | undefined;
}

export interface StoredPage {
  readonly items: readonly StoredEntry[];
  /** The revision the list is of. */
  readonly revision: number;
  /** How many keys follow the last item. */
  readonly remaining: number;
}

export interface RemovedEntry {
  readonly last: StoredEntry;
  /** Of the removal. */
  readonly revision: number;
}

/** What a change did to one key. `before` is absent for a new key, `after` for a removed one. */
export interface StorageChange {
  readonly key: string;
  readonly revision: number;
  readonly before: StoredEntry | undefined;
  readonly after: StoredEntry | undefined;
}

/** The key is not at the revision that was expected: somebody else was faster. */
export class StaleError extends Error {
  override readonly name: string = "StaleError";
  /** What is there instead; absent where nothing is. */
  readonly current: StoredEntry | undefined;

  constructor(key: string, expected: number, current: StoredEntry | undefined) {
    super(`expected ${key} at revision ${expected}, got ${current?.revision ?? "nothing"}`);
    this.current = current;
  }
}

/** Maximum length of a stored object in bytes of UTF-8: the default limit of etcd. */
export const maxStoredBytes: number = 1.5 * 1024 * 1024;

/** The object is longer than `maxStoredBytes`. */
export class TooLargeError extends Error {
  override readonly name: string = "TooLargeError";

  constructor(key: string, bytes: number) {
    super(`expected at most ${maxStoredBytes} bytes for ${key}, got ${bytes}`);
  }
}

/** That revision is no longer kept. */
export class CompactedError extends Error {
  override readonly name: string = "CompactedError";
  readonly compacted: number;

  constructor(revision: number, compacted: number) {
    super(`expected a revision from ${compacted} on, got ${revision}`);
    this.compacted = compacted;
  }
}
