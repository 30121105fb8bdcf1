import { setMaxListeners } from "node:events";
import type { AbortPool, Logger, Rng } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Monitor, ReconcileObserver } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import { abortableRequests } from "./abortable-requests.ts";
import type { Cache } from "./cache.ts";
import { CachingClient } from "./caching-client.ts";
import type { CallSites } from "./call-sites.ts";
import type { Context } from "./controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { releaseReason } from "./merged-reason.ts";
import type { Reason } from "./reason.ts";
import { reconcileClient } from "./reconcile-client.ts";
import { RequestScope } from "./request-scope.ts";
import { RunId } from "./run-id.ts";

/** What all reconciles of a controller are given. */
export interface SharedContext {
  readonly environment: ControllerEnvironment;
  /** The name of the controller. */
  readonly controller: string;
  readonly monitor: Monitor | undefined;
  /** Of the controller. */
  readonly log: Logger;
  readonly rng: Rng;
  /** Where reconciles call their client. */
  readonly callSites: CallSites;
  /** Abort controllers for their requests. */
  readonly aborts: AbortPool;
}

/** The end of a reconcile that did not come by itself. */
export interface Aborted {
  readonly reason: unknown;
  /** Whether the reconcile took longer than `timeoutMs`; otherwise its controller was stopped, or lost the leadership. */
  readonly timeout: boolean;
}

export interface ReconcileContextOptions {
  readonly key: string;
  readonly reasons: readonly Reason[];
  readonly reasonCount: number;
  readonly attempt: number;
}

/**
 * What one reconcile is given. Its client, its logger and its id are made when somebody first looks at them: many reconciles
 * look at none.
 */
export class ReconcileContext implements Context {
  readonly attempt: number;
  readonly reasonCount: number;
  readonly #reasons: readonly Reason[];
  /** Somebody has the reasons, and may look at them at any time. */
  #told = false;
  readonly #shared: SharedContext;
  readonly #key: string;
  #id: RunId | undefined;
  #client: Client | undefined;
  #log: Logger | undefined;
  #observer: ReconcileObserver | undefined;
  /** The requests of `client`. */
  #requests: RequestScope | undefined;
  /** Aborts `signal`, once that was read. */
  #controller: AbortController | undefined;
  /** Why the reconcile was aborted. */
  #aborted: Aborted | undefined;
  #ended = false;

  constructor(shared: SharedContext, { key, reasons, reasonCount, attempt }: ReconcileContextOptions) {
    this.#reasons = reasons;
    this.reasonCount = reasonCount;
    this.attempt = attempt;
    this.#shared = shared;
    this.#key = key;
  }

  /** Tells it from all others. */
  get id(): RunId {
    this.#id ??= new RunId(this.#shared.rng);
    return this.#id;
  }

  get reasons(): readonly Reason[] {
    this.#told = true;
    return this.#reasons;
  }

  get client(): Client {
    this.#client ??= this.#forReconcile(this.#shared.environment.client);
    return this.#client;
  }

  /** Created when first read: most reconciles never need it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal); // any number of calls may get it
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Why the reconcile was aborted, if it was. */
  get aborted(): Aborted | undefined {
    return this.#aborted;
  }

  /** Aborts `signal` and the requests of `client`, unless the reconcile has ended. The first reason counts. */
  abort(aborted: Aborted): void {
    if (this.#ended || this.#aborted) return;
    this.#aborted = aborted;
    this.#controller?.abort(aborted.reason);
    this.#requests?.abort(aborted.reason);
  }

  get cache(): Cache {
    return this.#shared.environment.cache;
  }

  get events(): EventRecorder {
    return this.#shared.environment.events;
  }

  get log(): Logger {
    this.#log ??= this.#shared.log.with(this.id.fields(this.#key));
    return this.#log;
  }

  /**
   * The reconcile is over: what was seen of it is taken down, where there is something to add it to, and the events behind its
   * reasons are let go of, where nobody has asked for those.
   */
  end(): void {
    this.#ended = true;
    this.#requests?.close();
    this.#observeEnd();
    if (!this.#told) for (const reason of this.#reasons) releaseReason(reason);
  }

  #observeEnd(): void {
    const { monitor } = this.#shared;
    if (!monitor) return;
    if (this.#observer || monitor.history(this.#key)) this.#observe(monitor)[Symbol.dispose]();
  }

  #forReconcile(client: Client): Client {
    const { monitor, controller, callSites } = this.#shared;
    const scope = this.#scope();
    const ours =
      client instanceof CachingClient
        ? client.forReconcile({ scope, observer: monitor && this.#observe(monitor) })
        : client.through((transport) => abortableRequests(transport, scope));
    return reconcileClient(ours, { controller, key: this.#key, callSites, requests: scope });
  }

  #scope(): RequestScope {
    const scope = new RequestScope(this.#shared.aborts);
    this.#requests = scope;
    if (this.#aborted) scope.abort(this.#aborted.reason);
    if (this.#ended) scope.close();
    return scope;
  }

  #observe(monitor: Monitor): ReconcileObserver {
    this.#observer ??= new ReconcileObserver(monitor, this.#key, this.#reasons);
    return this.#observer;
  }
}
