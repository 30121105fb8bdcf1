import { keyText, type ObjectKey, parseKey } from "../api/index.ts";

export interface ChannelOptions {
  /** Maximum number of distinct keys that are buffered until a controller starts its workers. @default 1024 */
  readonly limit?: number | undefined;
  /** Priority of the keys. Keys with a higher priority are reconciled first. @default 0 */
  readonly priority?: number | undefined;
}

/**
 * A trigger that queues keys from the program's own code. Any number of controllers may share it; each receives every
 * key.
 */
export interface Channel {
  readonly type: "channel";
  readonly kind?: undefined;
  readonly priority: number;
  /**
   * Queues a key. Until a controller starts its workers (before its start, or on a standby), distinct keys are buffered
   * up to the limit; a standby that becomes the leader reconciles every object anyway. Throws for an invalid key.
   *
   * @returns true if the key was accepted; false if the limit is reached, or if the listening controllers have stopped
   */
  push(key: ObjectKey | string): boolean;
  /** Called by a running controller: passes the buffered keys and all later keys to `listener` until disposed. */
  listen(listener: (key: ObjectKey) => void): Disposable;
}

/** Creates a trigger for the program's own code: `push` queues the key of an object to reconcile. */
export function channel({ limit = 1024, priority = 0 }: ChannelOptions = {}): Channel {
  if (!(limit >= 1)) throw new RangeError(`expected a limit of at least 1, got ${limit}`);
  if (!Number.isFinite(priority)) {
    throw new RangeError(`expected priority of channel to be a finite number, got ${priority}`);
  }
  return new KeyChannel(limit, priority);
}

class KeyChannel implements Channel {
  readonly type = "channel";
  readonly priority: number;
  readonly #limit: number;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  /** Keys pushed before the first listener, by text. Empty afterwards. */
  readonly #buffered = new Map<string, ObjectKey>();
  #phase: "waiting" | "open" | "closed" = "waiting";

  constructor(limit: number, priority: number) {
    this.priority = priority;
    this.#limit = limit;
  }

  push(key: ObjectKey | string): boolean {
    const parsed = parseKey(typeof key === "string" ? key : keyText(key));
    if (this.#phase === "waiting") return this.#buffer(parsed);
    for (const listener of this.#listeners) listener(parsed);
    return this.#phase === "open";
  }

  listen(listener: (key: ObjectKey) => void): Disposable {
    this.#phase = "open";
    this.#listeners.add(listener);
    for (const key of this.#buffered.values()) listener(key);
    queueMicrotask(() => this.#buffered.clear()); // listeners that are added in the same turn receive the keys too
    return { [Symbol.dispose]: () => this.#remove(listener) };
  }

  #buffer(key: ObjectKey): boolean {
    const text = keyText(key);
    if (this.#buffered.size >= this.#limit && !this.#buffered.has(text)) return false;
    this.#buffered.set(text, key);
    return true;
  }

  #remove(listener: (key: ObjectKey) => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#phase = "closed";
  }
}
