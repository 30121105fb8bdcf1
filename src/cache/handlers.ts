import type { KubeObject } from "../api/index.ts";
import type { Clock } from "../base/index.ts";
import type { Deliverer, Dispatcher } from "./dispatcher.ts";
import type { Change } from "./objects/object-event.ts";
import {
  type EventHandler,
  type HandlerHost,
  type HandlerOptions,
  HandlerSubscription,
} from "./subscription.ts";

export interface HandlersOptions<T extends KubeObject> {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly onFailed: HandlerHost<T>["failed"];
  readonly onResync: HandlerHost<T>["resync"];
  /** Called when no change waits for any handler. */
  readonly onDrained: () => void;
}

/** All handlers of one informer, each with its own queue of changes. */
export class Handlers<T extends KubeObject> implements HandlerHost<T> {
  readonly clock: Clock;
  readonly failed: HandlerHost<T>["failed"];
  readonly resync: HandlerHost<T>["resync"];
  readonly #dispatcher: Dispatcher;
  readonly #onDrained: () => void;
  /** Subscriptions and their owners. */
  readonly #all = new Map<HandlerSubscription<T>, object>();
  #whenDrained: (() => void)[] = [];

  constructor({ clock, dispatcher, onFailed, onResync, onDrained }: HandlersOptions<T>) {
    this.clock = clock;
    this.failed = onFailed;
    this.resync = onResync;
    this.#dispatcher = dispatcher;
    this.#onDrained = onDrained;
  }

  /** Length of the longest queue. */
  get backlog(): number {
    let longest = 0;
    for (const { queued } of this.#all.keys()) if (queued > longest) longest = queued;
    return longest;
  }

  /** `synced` of each current handler. */
  get synced(): Promise<void>[] {
    return Array.from(this.#all.keys(), ({ synced }) => synced);
  }

  /** True if every current handler is synced. */
  get hasSynced(): boolean {
    return [...this.#all.keys()].every(({ hasSynced }) => hasSynced);
  }

  add(handler: EventHandler<T>, options: HandlerOptions<T>, owner: object): HandlerSubscription<T> {
    const subscription = new HandlerSubscription(handler, options, this);
    this.#all.set(subscription, owner);
    return subscription;
  }

  /** Queues a change for every handler. The dispatcher delivers it. */
  notify(change: Change): void {
    for (const subscription of this.#all.keys()) subscription.push(change);
  }

  /** Called when every change of the first list is queued. */
  listed(): void {
    for (const subscription of this.#all.keys()) subscription.listed();
  }

  /** Rejects `synced` of handlers that are not synced. */
  failSync(error: Error): void {
    for (const subscription of this.#all.keys()) subscription.failSync(error);
  }

  /** Calls `run` once, when no change is queued. */
  whenDrained(run: () => void): void {
    this.#whenDrained.push(run);
    this.drained();
  }

  /** Closes the handlers of one owner. @default all handlers */
  async close(owner?: object): Promise<void> {
    const closing = [...this.#all].filter(([, each]) => owner === undefined || each === owner);
    await Promise.all(closing.map(([subscription]) => subscription.close()));
  }

  ready(deliverer: Deliverer): void {
    this.#dispatcher.add(deliverer);
  }

  drained(): void {
    if (this.backlog > 0) return;
    this.#onDrained();
    if (this.#whenDrained.length === 0) return;
    const callbacks = this.#whenDrained;
    this.#whenDrained = [];
    for (const run of callbacks) run();
  }

  closed(subscription: HandlerSubscription<T>): void {
    this.#all.delete(subscription);
    this.drained();
  }
}
