import { type AnyKind, type KubeObject, keyText, kindName, type ObjectKey, parseKey } from "../api/index.ts";
import type { Clock, Timer } from "../base/index.ts";
import type { ObjectEvent } from "../cache/index.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import { fullKey } from "./full-key.ts";
import type { Reason } from "./reason.ts";
import { type AwaitedState, Until, type UntilOptions } from "./until.ts";

export interface WaitsOptions {
  /** Controller name. */
  readonly controller: string;
  readonly cache: DeclaredCache;
  readonly clock: Clock;
  /** The namespace of keys that name none. */
  readonly namespace: string;
  /** Queues a key whose wait has ended. */
  readonly wake: (key: string, reason: Reason, priority: number) => void;
}

/** A key that waits, with the priority of its last reconcile. */
export interface WaitingKey {
  readonly key: string;
  readonly priority: number;
}

/**
 * The keys of one controller that wait for an object: at most one object per key.
 *
 * A wait begins with a check of the cache, own writes included, in the same turn of the event loop. Handlers are
 * notified of every change after that check, so no change is missed. A wait ends with an event for which the predicate
 * holds or throws, at its timeout, and with the next successful reconcile of its key.
 */
export class Waits {
  readonly #options: WaitsOptions;
  /** Names of the kinds whose events arrive here. */
  readonly #kinds = new Set<string>();
  readonly #byKey = new Map<string, Wait>();
  readonly #byObject = new Map<string, Set<Wait>>();
  /** Keys whose last wait had nothing to wait for. */
  readonly #fulfilled = new Set<string>();

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  /** Number of keys that wait. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Adds a kind whose events will be passed to `notify`. */
  declare(kind: AnyKind): void {
    this.#kinds.add(kindName(kind));
  }

  /** Describes a wait. Throws if no event of the kind would end it. */
  until(
    kind: AnyKind,
    key: ObjectKey | string,
    { holds, timeoutMs }: UntilOptions & { readonly holds: AwaitedState<KubeObject> },
  ): Until {
    const { controller, cache, namespace } = this.#options;
    if (!this.#kinds.has(kindName(kind))) {
      throw new TypeError(
        `expected a kind that controller ${JSON.stringify(controller)} watches (${[...this.#kinds].join(", ")}), ` +
          `got ${kindName(kind)}; add owns(${kind.kind}) or watches(${kind.kind}, …) to \`on\``,
      );
    }
    const full = fullKey(kind, parseKey(key), namespace);
    cache.of(kind, full.namespace); // throws for a namespace that is not watched
    return new Until(kind, keyText(full), { holds, timeoutMs });
  }

  /**
   * Starts the wait of a key in place of its previous one. Waiting for the same object again does not extend the
   * timeout.
   *
   * @returns "fulfilled" if the predicate holds already, and "again" if that was so the last time too
   */
  start(waiting: WaitingKey, until: Until): "waiting" | "fulfilled" | "again" {
    const { key } = waiting;
    const current = this.#options.cache.of(until.kind).view(until.key);
    const fulfilled = until.holds(current);
    const previous = this.#byKey.get(key);
    const again = this.#fulfilled.has(key);
    this.drop(key);
    if (fulfilled) {
      this.#fulfilled.add(key);
      return again ? "again" : "fulfilled";
    }
    const nowMs = this.#options.clock.monotonic();
    const resumed = previous && isResumed(previous, until) && !holds(previous.until, current);
    this.#add(waiting, until, resumed ? previous.dueMs : nowMs + until.requeueAfterMs);
    return "waiting";
  }

  /** Ends the wait of a key, if it has one. */
  drop(key: string): void {
    this.#fulfilled.delete(key);
    const wait = this.#byKey.get(key);
    if (!wait) return;
    wait.timer.cancel();
    this.#byKey.delete(key);
    const waits = this.#byObject.get(wait.object);
    waits?.delete(wait);
    if (waits?.size === 0) this.#byObject.delete(wait.object);
  }

  /** Ends the waits for which an event is the awaited one. */
  notify(kind: AnyKind, event: ObjectEvent<KubeObject>): void {
    if (this.#byObject.size === 0) return;
    const waits = this.#byObject.get(objectName(kind, event.key));
    if (!waits) return;
    const object = event.type === "deleted" ? undefined : event.object;
    for (const wait of [...waits]) if (holds(wait.until, object)) this.#wake(wait, "awaited");
  }

  clear(): void {
    for (const key of [...this.#byKey.keys()]) this.drop(key);
    this.#fulfilled.clear();
  }

  #add({ key, priority }: WaitingKey, until: Until, dueMs: number): void {
    const { clock } = this.#options;
    const object = objectName(until.kind, until.key);
    const afterMs = Math.max(0, dueMs - clock.monotonic());
    const timer = clock.timer(afterMs, () => this.#wake(wait, "timeout"));
    const wait: Wait = { key, priority, until, object, dueMs, timer };
    this.#byKey.set(key, wait);
    const waits = this.#byObject.get(object) ?? new Set();
    this.#byObject.set(object, waits.add(wait));
  }

  #wake({ key, priority, until }: Wait, event: "awaited" | "timeout"): void {
    this.drop(key);
    const reason: Reason = { kind: until.kind.kind, key: until.key, event, changed: [], echo: false };
    this.#options.wake(key, reason, priority);
  }
}

interface Wait extends WaitingKey {
  readonly until: Until;
  /** Kind and key of the awaited object. */
  readonly object: string;
  /** Monotonic time of the timeout. */
  readonly dueMs: number;
  readonly timer: Timer;
}

function objectName(kind: AnyKind, key: string): string {
  return `${kindName(kind)} ${key}`;
}

function isResumed({ object, until }: Wait, next: Until): boolean {
  return object === objectName(next.kind, next.key) && until.requeueAfterMs === next.requeueAfterMs;
}

/** Returns true if the predicate holds or throws: the next reconcile repeats it, and reports what it throws. */
function holds(until: Until, object: Parameters<AwaitedState<KubeObject>>[0]): boolean {
  try {
    return until.holds(object);
  } catch {
    return true;
  }
}
