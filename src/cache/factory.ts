import type { AnyKind, KubeObject } from "../api/index.ts";
import {
  asError,
  type Clock,
  createLogger,
  guardedLogger,
  type Logger,
  type Metrics,
  noMetrics,
  type Rng,
  realClock,
  realRng,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { Dispatcher } from "./dispatcher.ts";
import { FactorySyncError } from "./factory-sync-error.ts";
import type { Informer } from "./informer.ts";
import { InformerHandle } from "./informer-handle.ts";
import { SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";
import { checkNamespaces, normalizedView, type View, viewText } from "./view.ts";

/** The options of `View` are defaults for `for`. */
export interface InformersOptions extends View<KubeObject> {
  readonly client: Client;
  /** Prefix of the informers' names in metrics and logs, for programs with several factories. @default no prefix */
  readonly name?: string | undefined;
  /**
   * Time limit of the first list, after which `synced` rejects. For a missing permission or kind it is at most ten
   * seconds.
   * @default 120_000
   */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * Called each time a list or watch fails. The informer keeps retrying.
   *
   * @returns `true` if the failure was reported to the user: then it is logged only at level debug
   */
  readonly onWatchError?: ((error: Error, kind: AnyKind) => unknown) | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
  /** Receives failures of handlers and watches. @default JSON lines on standard error */
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Creates informers, one for each kind and view, and runs them. */
export interface InformerFactory extends AsyncDisposable {
  /**
   * Returns a handle of the shared informer of this kind and view, and creates the informer for the first handle.
   * `start` has to be called afterwards. Close the handle, or the factory.
   *
   * ```ts
   * const pods = factory.for(Pod, { labels: { app: "web" } });
   * const secrets = factory.for(metadataOnly(Secret));
   * ```
   */
  for<T extends KubeObject>(kind: AnyKind<T>, view?: View<T>): Informer<T>;
  /** Starts every informer that is not started yet, until the signal aborts. Call it again after `for`. */
  start(options: { readonly signal: AbortSignal }): void;
  /**
   * Resolves when all informers started so far are synced, and their handlers have received the first list. Rejects
   * with a `FactorySyncError` when one of them fails. It has the kinds that have synced, and those that have not.
   */
  readonly synced: Promise<void>;
  /** Ends all informers. */
  close(): Promise<void>;
}

/**
 * Creates a factory of shared informers for one server.
 *
 * ```ts
 * await using factory = informers({ client });
 * const pods = factory.for(Pod);
 * pods.on((event) => console.log(event.type, event.key));
 * factory.start({ signal });
 * await factory.synced;
 * ```
 */
export function informers(options: InformersOptions): InformerFactory {
  return new Informers(options);
}

class Informers implements InformerFactory {
  readonly #options: InformersOptions;
  readonly #shared: Omit<SharedInformerOptions<KubeObject>, "kind" | "view" | "name">;
  /** Shared informers by kind and view. */
  readonly #informers = new Map<string, Shared>();
  /** A number for each transform, because functions with the same source text may differ. */
  readonly #transforms = new Map<unknown, number>();
  #closed = false;

  constructor(options: InformersOptions) {
    const { clock = realClock, rng = realRng, metrics = noMetrics, syncTimeoutMs = 120_000 } = options;
    const { client, onWatchError } = options;
    const log = options.log ? guardedLogger(options.log) : createLogger({ clock });
    checkNamespaces(options.namespaces);
    const dispatcher = new Dispatcher(clock);
    this.#options = options;
    const server = { streamingLists: true };
    this.#shared = { client, dispatcher, clock, rng, log, metrics, syncTimeoutMs, onWatchError, server };
  }

  for<T extends KubeObject>(kind: AnyKind<T>, view: View<T> = {}): Informer<T> {
    if (this.#closed) throw new Error("informer factory already closed");
    const normalized = normalizedView(kind, { ...this.#defaults<T>(), ...definedOptions(view) });
    const key = this.#key(kind, normalized);
    const shared = this.#running(key) ?? this.#create(kind, normalized, key);
    shared.handles += 1;
    const informer = shared.informer as unknown as SharedInformer<T>; // the key names the kind
    const { resyncMs } = normalized;
    return new InformerHandle(informer, {
      view: normalized,
      resyncMs,
      onClosed: () => this.#release(key, shared),
    });
  }

  start({ signal }: { readonly signal: AbortSignal }): void {
    if (this.#closed) throw new Error("informer factory already closed");
    for (const { informer } of this.#informers.values()) informer.start(signal);
  }

  get synced(): Promise<void> {
    const started = Array.from(this.#informers.values(), ({ informer }) => informer).filter(
      (informer) => informer.started,
    );
    return Promise.all(started.map((informer) => informer.allSynced)).then(
      () => {},
      (cause: unknown) => {
        throw new FactorySyncError(started, asError(cause));
      },
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#informers.values(), ({ informer }) => informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the informer of this key, unless it has ended. */
  #running(key: string): Shared | undefined {
    const shared = this.#informers.get(key);
    return shared?.informer.ended ? undefined : shared;
  }

  #create<T extends KubeObject>(kind: AnyKind<T>, view: View<T>, key: string): Shared {
    const informer = new SharedInformer<T>({
      ...this.#shared,
      kind,
      view,
      name: this.#name([...(this.#options.name ? [this.#options.name] : []), viewText(kind, view)].join(" ")),
    });
    const shared = { informer: informer as unknown as SharedInformer<KubeObject>, handles: 0 }; // as in `for`
    this.#informers.set(key, shared);
    return shared;
  }

  /** Returns a name that no running informer has: views with the same text may have different transforms. */
  #name(text: string): string {
    const taken = new Set<string>();
    for (const { informer } of this.#informers.values()) if (!informer.ended) taken.add(informer.name);
    let name = text;
    for (let count = 2; taken.has(name); count++) name = `${text} #${count}`;
    return name;
  }

  async #release(key: string, shared: Shared): Promise<void> {
    shared.handles -= 1;
    if (shared.handles > 0) return;
    if (this.#informers.get(key) === shared) this.#informers.delete(key);
    await shared.informer.close();
  }

  #key<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): string {
    const { managedFields, pageSize, transform } = view;
    const number = this.#transforms.get(transform) ?? this.#transforms.size;
    this.#transforms.set(transform, number);
    return JSON.stringify([viewText(kind, view), managedFields, pageSize, number]);
  }

  #defaults<T extends KubeObject>(): View<T> {
    const { namespaces, labels, fields, managedFields, pageSize, transform, resyncMs } = this.#options;
    const view = { namespaces, labels, fields, managedFields, pageSize, transform, resyncMs };
    return view as unknown as View<T>; // a transform of any object accepts these
  }
}

/** A shared informer and the number of its handles. */
interface Shared {
  readonly informer: SharedInformer<KubeObject>;
  handles: number;
}

/** Leaves out options that are `undefined`, so that they do not replace defaults. */
function definedOptions<T extends KubeObject>(view: View<T>): View<T> {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}
