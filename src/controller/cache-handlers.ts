import type { AnyKind, KubeObject } from "../api/index.ts";
import { Milestone } from "../base/index.ts";
import type { EventHandler, HandlerOptions, Informer, Subscription, View } from "../cache/index.ts";

export interface CacheHandlerOptions<T extends KubeObject> extends HandlerOptions<T> {
  /**
   * The part of the kind to receive. @default what the controllers of the manager watch; what the manager caches by
   * default, if none watches the kind
   */
  readonly view?: View<T> | undefined;
}

/** The informers of a running manager for handlers of its cache. */
export interface HandlerInformers {
  /** Returns a handle of the started informer of a kind. @param view @default what the controllers watch */
  open(kind: AnyKind, view: View<KubeObject> | undefined): Informer<KubeObject>;
  /** Called for each informer that a handler has opened, and when the handler is closed. */
  opened(informer: Informer<KubeObject>): void;
  closed(informer: Informer<KubeObject>): void;
}

/** The event handlers of one cache. Handlers that are added before the manager starts wait for its informers. */
export class CacheHandlers {
  readonly #handlers = new Set<CacheHandler>();
  #informers: HandlerInformers | undefined;

  add<T extends KubeObject>(
    kind: AnyKind<T>,
    handler: EventHandler<T>,
    options: CacheHandlerOptions<T>,
  ): Subscription {
    // It is only called with objects of its kind.
    const added = new CacheHandler(kind, handler as EventHandler<KubeObject>, {
      ...(options as unknown as CacheHandlerOptions<KubeObject>),
      onClosed: () => this.#handlers.delete(added),
    });
    if (this.#informers) added.open(this.#informers);
    this.#handlers.add(added);
    return added;
  }

  /** Opens the informers of all handlers, and of those that are added later. */
  connect(informers: HandlerInformers): void {
    this.#informers = informers;
    for (const handler of this.#handlers) handler.open(informers);
  }

  /** The kinds with handlers, and their views. */
  get kinds(): readonly Pick<CacheHandler, "kind" | "view">[] {
    return [...this.#handlers];
  }

  get informers(): Informer<KubeObject>[] {
    return [...this.#handlers].flatMap(({ informer }) => informer ?? []);
  }

  /** Resolves when the current handlers have received the first list. */
  get synced(): Promise<void> {
    return Promise.all(Array.from(this.#handlers, ({ synced }) => synced)).then(() => {});
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#handlers, (handler) => handler.close()));
  }
}

interface CacheHandlerSetup extends CacheHandlerOptions<KubeObject> {
  readonly onClosed: () => void;
}

/** One event handler, from when it is added until it is closed. */
class CacheHandler implements Subscription {
  readonly kind: AnyKind;
  readonly #handler: EventHandler<KubeObject>;
  readonly #setup: CacheHandlerSetup;
  /** Reached when the informer is opened. */
  readonly #opened = new Milestone();
  #informer: Informer<KubeObject> | undefined;
  #subscription: Subscription | undefined;
  #closed: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor(kind: AnyKind, handler: EventHandler<KubeObject>, setup: CacheHandlerSetup) {
    this.kind = kind;
    this.#handler = handler;
    this.#setup = setup;
  }

  get view(): View<KubeObject> | undefined {
    return this.#setup.view;
  }

  get informer(): Informer<KubeObject> | undefined {
    return this.#informer;
  }

  get synced(): Promise<void> {
    if (this.#subscription) return this.#subscription.synced;
    const synced = this.#opened.promise.then(() => this.#subscription?.synced);
    synced.catch(() => {}); // the caller receives the failure, if it awaits the promise
    return synced;
  }

  get hasSynced(): boolean {
    return this.#subscription?.hasSynced ?? false;
  }

  open(informers: HandlerInformers): void {
    const { view, resyncMs, filter } = this.#setup;
    const informer = informers.open(this.kind, view);
    this.#informer = informer;
    informers.opened(informer);
    this.#release = () => informers.closed(informer);
    this.#subscription = informer.on(this.#handler, { resyncMs, filter });
    this.#opened.reach();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#setup.onClosed();
    this.#opened.fail(new Error("handler closed before the manager started"));
    this.#release?.();
    await this.#subscription?.close();
    await this.#informer?.close();
  }
}
