import type { KubeObject } from "../api/index.ts";
import type { Clock } from "../base/index.ts";
import type { Deliverer, Dispatcher } from "./dispatcher.ts";
import type { Change } from "./object-event.ts";
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
  /** Nothing waits for any handler. */
  readonly onDrained: () => void;
}

/** All handlers of one informer, each with a line of its own. */
export class Handlers<T extends KubeObject> implements HandlerHost<T> {
  readonly clock: Clock;
  readonly failed: HandlerHost<T>["failed"];
  readonly resync: HandlerHost<T>["resync"];
  readonly #dispatcher: Dispatcher;
  readonly #onDrained: () => void;
  /** Each with whoever registered it. */
  readonly #all = new Map<HandlerSubscription<T>, object>();
  #whenDrained: (() => void)[] = [];

  constructor({ clock, dispatcher, onFailed, onResync, onDrained }: HandlersOptions<T>) {
    this.clock = clock;
    this.failed = onFailed;
    this.resync = onResync;
    this.#dispatcher = dispatcher;
    this.#onDrained = onDrained;
  }

  /** What waits in the longest line. */
  get backlog(): number {
    let longest = 0;
    for (const { waiting } of this.#all.keys()) if (waiting > longest) longest = waiting;
    return longest;
  }

  /** Of all there are now. */
  get synced(): Promise<void>[] {
    return Array.from(this.#all.keys(), ({ synced }) => synced);
  }

  add(handler: EventHandler<T>, options: HandlerOptions<T>, owner: object): HandlerSubscription<T> {
    const subscription = new HandlerSubscription(handler, options, this);
    this.#all.set(subscription, owner);
    return subscription;
  }

  /** To be delivered by the next turn. */
  notify(change: Change): void {
    for (const subscription of this.#all.keys()) subscription.push(change);
  }

  /** The whole first list has been told. */
  listed(): void {
    for (const subscription of this.#all.keys()) subscription.listed();
  }

  /** The first list cannot be had. */
  missed(error: Error): void {
    for (const subscription of this.#all.keys()) subscription.missed(error);
  }

  /** Calls once, when nothing waits any more. */
  whenDrained(run: () => void): void {
    this.#whenDrained.push(run);
    this.drained();
  }

  /** Of all, or of one owner. */
  async close(owner?: object): Promise<void> {
    const theirs = [...this.#all].filter(([, whose]) => owner === undefined || whose === owner);
    await Promise.all(theirs.map(([subscription]) => subscription.close()));
  }

  ready(deliverer: Deliverer): void {
    this.#dispatcher.add(deliverer);
  }

  drained(): void {
    if (this.backlog > 0) return;
    this.#onDrained();
    if (this.#whenDrained.length === 0) return;
    const waiting = this.#whenDrained;
    this.#whenDrained = [];
    for (const run of waiting) run();
  }

  closed(subscription: HandlerSubscription<T>): void {
    this.#all.delete(subscription);
    this.drained();
  }
}
