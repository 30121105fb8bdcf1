import type { AnyKind, KubeObject } from "../api/index.ts";
import type { Informer } from "./informer.ts";
import type { IndexValues } from "./objects/field-index.ts";
import type { Lister, ReadonlyIndexer } from "./objects/store.ts";
import type { Overlay } from "./overlay.ts";
import type { WatchHealth } from "./reflector/watch-health.ts";
import type { SharedInformer } from "./shared-informer.ts";
import type { EventHandler, HandlerOptions, Subscription } from "./subscription.ts";
import type { View } from "./view.ts";

export interface HandleOptions<T extends KubeObject> {
  readonly view: View<T>;
  /** Default for handlers. */
  readonly resyncMs?: number | undefined;
  /** Called once, when the handle is closed. */
  readonly onClosed: () => Promise<void>;
}

/** One handle of a shared informer. */
export class InformerHandle<T extends KubeObject> implements Informer<T> {
  readonly #shared: SharedInformer<T>;
  readonly #options: HandleOptions<T>;
  #closed: Promise<void> | undefined;

  constructor(shared: SharedInformer<T>, options: HandleOptions<T>) {
    this.#shared = shared;
    this.#options = options;
  }

  get kind(): AnyKind<T> {
    return this.#shared.kind;
  }

  get view(): View<T> {
    return this.#options.view;
  }

  get lister(): Lister<T> {
    return this.#shared.store;
  }

  get indexer(): ReadonlyIndexer<T> {
    return this.#shared.store;
  }

  get overlay(): Overlay<T> {
    return this.#shared.overlay;
  }

  get synced(): Promise<void> {
    return this.#shared.synced;
  }

  get hasSynced(): boolean {
    return this.#shared.hasSynced;
  }

  get health(): WatchHealth {
    return this.#shared.health;
  }

  get undecodable(): ReadonlyMap<string, Error> {
    return this.#shared.undecodable;
  }

  on(handler: EventHandler<T>, options: HandlerOptions<T> = {}): Subscription {
    if (this.#closed) throw new Error("informer already closed");
    const { resyncMs = this.#options.resyncMs } = options;
    return this.#shared.on(handler, { ...options, resyncMs }, this);
  }

  index(name: string, values: IndexValues<T>): void {
    this.#shared.index(name, values);
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#closed) throw new Error("informer already closed");
    await this.#shared.run(signal);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#shared.closeHandlersOf(this);
    await this.#options.onClosed();
  }
}
