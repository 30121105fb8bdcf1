import type { Clock } from "../../base/index.ts";
import type { Storage, StorageChange } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import { WatchLog, type WatchLogOptions } from "./watch-log.ts";

/** A reader of a log. */
export interface Follower {
  readonly resource: Resource;
  /** Called when the log has new changes. */
  wake(): void;
  /** Called when the resource is no longer served. */
  end(): void;
}

/**
 * Delivers changes to watchers. There is one log per storage prefix while a resource is served from it.
 *
 * A writer never waits for a watcher: followers are notified after the writer's turn of the event loop.
 */
export class WatchHub {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #options: WatchLogOptions;
  readonly #maxCharacters: number;
  /** The JSON characters in all logs. */
  #characters = 0;
  readonly #channels = new Map<string, Channel>();

  constructor(storage: Storage, clock: Clock, options: WatchLogOptions = {}) {
    this.#storage = storage;
    this.#clock = clock;
    this.#options = options;
    this.#maxCharacters = options.maxCharacters ?? 64 * 2 ** 20;
  }

  /** Logs the changes of all resources of the registry, from now on. */
  follow(registry: ResourceRegistry): Disposable {
    for (const resource of registry.list()) this.#open(resource);
    return registry.onChange(({ type, resource }) => {
      if (type === "added") this.#open(resource);
      else this.#close(resource, registry);
    });
  }

  logOf({ storagePrefix }: Resource): WatchLog | undefined {
    return this.#channels.get(storagePrefix)?.log;
  }

  /** Notifies a follower of every change, until the result is disposed. */
  join(follower: Follower): Disposable {
    const followers = this.#channels.get(follower.resource.storagePrefix)?.followers;
    followers?.add(follower);
    return { [Symbol.dispose]: () => void followers?.delete(follower) };
  }

  /** Discards all changes up to now. */
  compact(): void {
    for (const { log } of this.#channels.values()) {
      this.#counted(log, () => log.compact(this.#storage.revision));
    }
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
  }

  /** The revision of the newest change of any kind. Every log is complete up to it. */
  get revision(): number {
    return this.#storage.revision;
  }

  #open({ storagePrefix }: Resource): void {
    if (this.#channels.has(storagePrefix)) return;
    const log = new WatchLog(this.#clock, this.#storage.revision, this.#options);
    const append = (change: StorageChange): void => {
      this.#counted(log, () => log.append(change));
      this.#limitCharacters();
    };
    this.#channels.set(storagePrefix, new Channel(this.#storage, storagePrefix, { log, append }));
  }

  /** Changes a log and updates the character count. Returns the result of `change`. */
  #counted<T>(log: WatchLog, change: () => T): T {
    const before = log.characters;
    const result = change();
    this.#characters += log.characters - before;
    return result;
  }

  /** Discards the oldest changes of the largest logs, so that the logs of kinds with few changes stay. */
  #limitCharacters(): void {
    if (this.#characters <= this.#maxCharacters) return;
    const logs = Array.from(this.#channels.values(), ({ log }) => log);
    while (this.#characters > this.#maxCharacters) {
      const largest = logs.reduce((max, log) => (log.characters > max.characters ? log : max));
      if (!this.#counted(largest, () => largest.shrink())) return;
    }
  }

  #close(resource: Resource, registry: ResourceRegistry): void {
    const channel = this.#channels.get(resource.storagePrefix);
    channel?.endFollowersOf(resource);
    if (registry.list().some(({ storagePrefix }) => storagePrefix === resource.storagePrefix)) return;
    channel?.close();
    this.#characters -= channel?.log.characters ?? 0;
    this.#channels.delete(resource.storagePrefix);
  }
}

class Channel {
  readonly log: WatchLog;
  readonly followers = new Set<Follower>();
  readonly #changes: Disposable;
  #waking = false;

  constructor(
    storage: Storage,
    prefix: string,
    { log, append }: { readonly log: WatchLog; append(change: StorageChange): void },
  ) {
    this.log = log;
    this.#changes = storage.onChange(prefix, (change) => {
      append(change);
      this.#wake();
    });
  }

  endFollowersOf(resource: Resource): void {
    for (const follower of this.followers) if (follower.resource === resource) follower.end();
  }

  close(): void {
    this.#changes[Symbol.dispose]();
    for (const follower of this.followers) follower.end();
  }

  /** Notifies the followers once for all changes of one turn of the event loop. */
  #wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      for (const follower of this.followers) follower.wake();
    });
  }
}
