import type { AnyKind, KubeObject } from "../api/index.ts";
import {
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
import type { Informer } from "./informer.ts";
import { InformerHandle } from "./informer-handle.ts";
import { SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";
import { checkNamespaces, settledView, type View, viewText } from "./view.ts";

/** What is said of views here holds where `for` says nothing else. */
export interface InformersOptions extends View<KubeObject> {
  readonly client: Client;
  /** Stands before the names of its informers in metrics and logs, where there are several factories. @default nothing */
  readonly name?: string | undefined;
  /**
   * How long a first list may take before `synced` rejects. A missing right or kind is waited for ten seconds.
   * @default 120,000
   */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * Told each time that a list or watch fails. It goes on being tried. Where it gives `true` it has told people itself, and
   * the log has it for debugging alone.
   */
  readonly onWatchError?: ((error: Error, kind: AnyKind) => unknown) | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
  /** Where failures of handlers and watches are told. @default the package's own, on standard error */
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Makes informers, one for each kind and view, and runs them. */
export interface InformerFactory extends AsyncDisposable {
  /**
   * A handle of the one informer of this kind and view, which is made for the first. It has to be started. Close the
   * handle, or let it go with the factory.
   *
   * ```ts
   * const pods = factory.for(Pod, { labels: { app: "web" } });
   * const secrets = factory.for(metadataOnly(Secret));
   * ```
   */
  for<T extends KubeObject>(kind: AnyKind<T>, view?: View<T>): Informer<T>;
  /** Starts every informer that is not started yet, until the signal aborts. Call it again after adding more. */
  start(options: { readonly signal: AbortSignal }): void;
  /** Resolves when all informers started so far are filled, and their handlers have been told of it. */
  readonly synced: Promise<void>;
  /** Ends all informers. */
  close(): Promise<void>;
}

/**
 * Local copies of what a server holds, shared by all who read the same.
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
  /** By what they are shared by. */
  readonly #informers = new Map<string, Used>();
  /** A number for each function, since two that read alike may differ. */
  readonly #transforms = new Map<unknown, number>();
  #closed = false;

  constructor(options: InformersOptions) {
    const { clock = realClock, rng = realRng, metrics = noMetrics, syncTimeoutMs = 120_000 } = options;
    const { client, onWatchError } = options;
    const log = options.log ? guardedLogger(options.log) : createLogger({ clock });
    checkNamespaces(options.namespaces);
    const dispatcher = new Dispatcher(clock);
    this.#options = options;
    const server = { streams: true };
    this.#shared = { client, dispatcher, clock, rng, log, metrics, syncTimeoutMs, onWatchError, server };
  }

  for<T extends KubeObject>(kind: AnyKind<T>, view: View<T> = {}): Informer<T> {
    if (this.#closed) throw new Error("expected a factory that is open, got one that was closed");
    const whole = settledView(kind, { ...this.#defaults<T>(), ...given(view) });
    const key = this.#key(kind, whole);
    const used = this.#used(key) ?? this.#make(kind, whole, key);
    used.handles += 1;
    const shared = used.informer as unknown as SharedInformer<T>; // the key names the kind
    const { resyncMs } = whole;
    return new InformerHandle(shared, { view: whole, resyncMs, onClosed: () => this.#release(key, used) });
  }

  start({ signal }: { readonly signal: AbortSignal }): void {
    if (this.#closed) throw new Error("expected a factory that is open, got one that was closed");
    for (const { informer } of this.#informers.values()) informer.start(signal);
  }

  get synced(): Promise<void> {
    const started = Array.from(this.#informers.values(), ({ informer }) => informer).filter(
      (informer) => informer.started,
    );
    return Promise.all(started.map((informer) => informer.allSynced)).then(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#informers.values(), ({ informer }) => informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** One that has ended is of no use to anyone new. */
  #used(key: string): Used | undefined {
    const used = this.#informers.get(key);
    return used?.informer.ended ? undefined : used;
  }

  #make<T extends KubeObject>(kind: AnyKind<T>, view: View<T>, key: string): Used {
    const informer = new SharedInformer<T>({
      ...this.#shared,
      kind,
      view,
      name: this.#name([...(this.#options.name ? [this.#options.name] : []), viewText(kind, view)].join(" ")),
    });
    const used = { informer: informer as unknown as SharedInformer<KubeObject>, handles: 0 }; // as in `for`
    this.#informers.set(key, used);
    return used;
  }

  /** One of its own: two that read alike may have transforms that differ. What has ended needs none any more. */
  #name(text: string): string {
    const taken = new Set<string>();
    for (const { informer } of this.#informers.values()) if (!informer.ended) taken.add(informer.name);
    let name = text;
    for (let count = 2; taken.has(name); count++) name = `${text} #${count}`;
    return name;
  }

  async #release(key: string, used: Used): Promise<void> {
    used.handles -= 1;
    if (used.handles > 0) return;
    if (this.#informers.get(key) === used) this.#informers.delete(key);
    await used.informer.close();
  }

  #key<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): string {
    const { managedFields, pageSize, transform } = view;
    const known = this.#transforms.get(transform) ?? this.#transforms.size;
    this.#transforms.set(transform, known);
    return JSON.stringify([viewText(kind, view), managedFields, pageSize, known]);
  }

  #defaults<T extends KubeObject>(): View<T> {
    const { namespaces, labels, fields, managedFields, pageSize, transform, resyncMs } = this.#options;
    const view = { namespaces, labels, fields, managedFields, pageSize, transform, resyncMs };
    return view as unknown as View<T>; // a transform of all objects is one of these
  }
}

/** A shared informer, and how many use it. */
interface Used {
  readonly informer: SharedInformer<KubeObject>;
  handles: number;
}

function given<T extends KubeObject>(view: View<T>): View<T> {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}
