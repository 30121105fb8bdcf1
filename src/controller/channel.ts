import { keyText, type ObjectKey, parseKey } from "../api/index.ts";

export interface ChannelOptions {
  /** How many different keys are kept until a controller works: before its start, and on a standby. @default 1024 */
  readonly limit?: number | undefined;
}

/** Keys from your own code. A trigger of any number of controllers, each of which is given every key. */
export interface Channel {
  readonly type: "channel";
  readonly kind?: undefined;
  /**
   * Has the object of this key reconciled. Keys pushed before a controller works (before its start, or on a standby) are
   * kept, each once, up to the limit; a standby that becomes the leader reconciles every object anyway.
   *
   * @returns whether the key was accepted: false where the limit is reached, and after the controllers that listened have
   *   stopped. Throws for an invalid key.
   */
  push(key: ObjectKey | string): boolean;
  /** For whoever runs controllers: tells `listener` of what was kept and what comes, until it is disposed. */
  listen(listener: (key: ObjectKey) => void): Disposable;
}

/** A trigger that is pulled by your own code: `push` names the object to reconcile. */
export function channel({ limit = 1024 }: ChannelOptions = {}): Channel {
  if (!(limit >= 1)) throw new RangeError(`expected a limit of at least 1, got ${limit}`);
  return new KeyChannel(limit);
}

class KeyChannel implements Channel {
  readonly type = "channel";
  readonly #limit: number;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  /** What was pushed while nobody listened, each once. Nothing, after somebody has. */
  readonly #kept = new Map<string, ObjectKey>();
  #phase: "waiting" | "open" | "closed" = "waiting";

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(key: ObjectKey | string): boolean {
    const parsed = parseKey(typeof key === "string" ? key : keyText(key));
    if (this.#phase === "waiting") return this.#keep(parsed);
    for (const listener of this.#listeners) listener(parsed);
    return this.#phase === "open";
  }

  listen(listener: (key: ObjectKey) => void): Disposable {
    this.#phase = "open";
    this.#listeners.add(listener);
    for (const key of this.#kept.values()) listener(key);
    queueMicrotask(() => this.#kept.clear()); // who begins in the same moment is given it too
    return { [Symbol.dispose]: () => this.#leave(listener) };
  }

  #keep(key: ObjectKey): boolean {
    const text = keyText(key);
    if (this.#kept.size >= this.#limit && !this.#kept.has(text)) return false;
    this.#kept.set(text, key);
    return true;
  }

  #leave(listener: (key: ObjectKey) => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#phase = "closed";
  }
}
