import { type AnyKind, type KubeObject, kindName } from "../api/index.ts";
import { asError, causesOf, type Logger } from "../base/index.ts";
import type { ObjectEvent } from "../cache/index.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import { CacheNotSyncedError } from "./errors.ts";

type Event = ObjectEvent<KubeObject>;
type Handle = (event: Event) => void;

/**
 * Keeps events whose predicate or mapper read a cache that had not synced, and delivers them again when that cache has
 * synced.
 *
 * For each object, only the first and the last event are kept: together they have the object before and after all of
 * them, and memory stays bounded while a kind is not served.
 */
export class UnsyncedEvents {
  readonly #cache: DeclaredCache;
  readonly #log: Logger;
  /** The waiting events, by the name of the kind that has not synced. */
  readonly #waiting = new Map<string, WaitingEvents>();

  constructor(cache: DeclaredCache, log: Logger) {
    this.#cache = cache;
    this.#log = log;
  }

  /** Number of kinds that events wait for. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Calls `handle`. If it reads an unsynced cache, calls it again when that has synced. Rethrows every other error. */
  deliver(event: Event, handle: Handle): void {
    try {
      handle(event);
    } catch (error) {
      const unsynced = causesOf(error).find((cause) => cause instanceof CacheNotSyncedError);
      if (!unsynced || !this.#cache.has(unsynced.kind)) throw error;
      this.#keep(unsynced.kind, event, handle);
    }
  }

  clear(): void {
    this.#waiting.clear();
  }

  #keep(kind: AnyKind, event: Event, handle: Handle): void {
    const name = kindName(kind);
    let waiting = this.#waiting.get(name);
    if (!waiting) {
      waiting = new Map();
      this.#waiting.set(name, waiting);
      this.#log.info("events wait for a cache to sync", { kind: name });
      this.#cache.onSynced(kind, () => this.#deliverAgain(name));
    }
    const events = waiting.get(handle) ?? new Map<string, KeptEvents>();
    waiting.set(handle, events);
    events.set(event.key, { first: events.get(event.key)?.first ?? event, last: event });
  }

  #deliverAgain(name: string): void {
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    for (const [handle, events] of waiting ?? []) {
      for (const { first, last } of events.values()) {
        this.#try(first, handle);
        if (last !== first) this.#try(last, handle);
      }
    }
  }

  #try(event: Event, handle: Handle): void {
    try {
      this.deliver(event, handle);
    } catch (error) {
      this.#log.error("handler failed", { error: asError(error), key: event.key });
    }
  }
}

/** The waiting events, by handler and object key. */
type WaitingEvents = Map<Handle, Map<string, KeptEvents>>;

interface KeptEvents {
  readonly first: Event;
  readonly last: Event;
}
