import { setMaxListeners } from "node:events";
import type { KubeObject, Owner } from "../api/index.ts";
import { type AbortPool, type Clock, type LogFields, type Logger, type Rng, uuid } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Monitor, ReconcileObserver } from "../detector/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { Cache } from "./cache.ts";
import { CachingClient } from "./caching-client.ts";
import type { CallSites } from "./call-sites.ts";
import type { ApplyOwned, ApplyOwnedOptions, Child } from "./child.ts";
import type { ChildSets } from "./child-sets.ts";
import type { Context } from "./controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { loggedReasons } from "./logged-reasons.ts";
import { releaseReason } from "./merged-reason.ts";
import type { Reason } from "./reason.ts";
import { reconcileClient } from "./reconcile-client.ts";
import { abortableRequests, RequestScope } from "./request-scope.ts";
import type { UnchangedApplies } from "./unchanged-applies.ts";
import type { AwaitedState, UntilOf } from "./until.ts";
import type { Waits } from "./waits.ts";

/** The part of a `ReconcileContext` that all reconciles of a controller share. */
export interface SharedContext {
  readonly environment: ControllerEnvironment;
  /** Controller name. */
  readonly controller: string;
  readonly monitor: Monitor | undefined;
  /** Has the controller's name as a field. */
  readonly log: Logger;
  readonly rng: Rng;
  /** Places in the program that call the client. */
  readonly callSites: CallSites;
  /** Skips applies that would change nothing. `undefined` if every apply is sent. */
  readonly applies: UnchangedApplies | undefined;
  /** Abort controllers for requests. */
  readonly aborts: AbortPool;
  readonly childSets: ChildSets;
  readonly waits: Waits;
}

type Applied = ReturnType<ChildSets["apply"]>;

/** Why a reconcile was aborted. */
export interface Aborted {
  readonly reason: unknown;
  /** True if the reconcile exceeded `timeoutMs`. False if its controller was stopped or lost leadership. */
  readonly timeout: boolean;
}

export interface ReconcileContextOptions {
  readonly key: string;
  readonly reasons: readonly Reason[];
  readonly reasonCount: number;
  readonly attempt: number;
}

/**
 * The context of one reconcile. Creates its client, logger and id on first use, because many reconciles use none of
 * them.
 */
export class ReconcileContext implements Context {
  readonly attempt: number;
  readonly reasonCount: number;
  readonly #reasons: readonly Reason[];
  /** True once `reasons` was read. Their events must then stay readable. */
  #reasonsRead = false;
  readonly #shared: SharedContext;
  readonly #key: string;
  #id: ReconcileId | undefined;
  #client: Client | undefined;
  #log: Logger | undefined;
  #observer: ReconcileObserver | undefined;
  /** The requests of `client`. */
  #requests: RequestScope | undefined;
  /** Aborts `signal`. Undefined until `signal` is read. */
  #controller: AbortController | undefined;
  #aborted: Aborted | undefined;
  /** The first writes that changed an object. */
  readonly #changes: string[] = [];
  #ended = false;

  constructor(shared: SharedContext, { key, reasons, reasonCount, attempt }: ReconcileContextOptions) {
    this.#reasons = reasons;
    this.reasonCount = reasonCount;
    this.attempt = attempt;
    this.#shared = shared;
    this.#key = key;
  }

  /** Identifies this reconcile in logs and traces. */
  get id(): ReconcileId {
    this.#id ??= new ReconcileId(this.#shared.rng);
    return this.#id;
  }

  get reasons(): readonly Reason[] {
    this.#reasonsRead = true;
    return this.#reasons;
  }

  /** The reasons for a log line: see `loggedReasons`. */
  get loggedReasons(): readonly Reason[] {
    return loggedReasons(this.#reasons);
  }

  /** The writes that changed an object, at most 16: `apply Deployment default/web`. */
  get changes(): readonly string[] {
    return this.#changes;
  }

  get client(): Client {
    this.#client ??= this.#forReconcile(this.#shared.environment.client);
    return this.#client;
  }

  /** Created on first read, because most reconciles never read it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      setMaxListeners(0, this.#controller.signal); // a reconcile may pass it to any number of calls
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

  get clock(): Clock {
    return this.#shared.environment.clock;
  }

  /** A closure, because reconciles destructure their context. */
  get now(): () => number {
    const { clock } = this;
    return () => clock.now();
  }

  get applyOwned(): ApplyOwned {
    const { childSets } = this.#shared;
    const apply = (owner: Owner, children: readonly Child[], options: ApplyOwnedOptions = {}): Applied =>
      childSets.apply(this.client, owner, { ...options, children });
    return apply as ApplyOwned; // the type of the result follows from the children
  }

  get until(): UntilOf {
    const { waits } = this.#shared;
    return (...[kind, key, predicate, options]) =>
      waits.until(kind, key, { ...options, holds: predicate as AwaitedState<KubeObject> }); // it gets objects of `kind`
  }

  get events(): EventRecorder {
    return this.#shared.environment.events;
  }

  get log(): Logger {
    this.#log ??= this.#shared.log.with(this.id.fields(this.#key));
    return this.#log;
  }

  /**
   * Ends the reconcile: reports it to the detector, and releases the events of its reasons if those were never read.
   */
  end(): void {
    this.#ended = true;
    this.#requests?.close();
    this.#observeEnd();
    if (!this.#reasonsRead) for (const reason of this.#reasons) releaseReason(reason);
  }

  #observeEnd(): void {
    const { monitor } = this.#shared;
    if (!monitor) return;
    if (this.#observer || monitor.history(this.#key)) this.#observe(monitor)[Symbol.dispose]();
  }

  #forReconcile(client: Client): Client {
    const { monitor, controller, callSites, applies } = this.#shared;
    const scope = this.#scope();
    const abortable =
      client instanceof CachingClient
        ? client.forReconcile({
            scope,
            applies,
            observer: monitor && this.#observe(monitor),
            onChange: (change) => void (this.#changes.length < maxChanges && this.#changes.push(change)),
          })
        : client.through((transport) => abortableRequests(transport, scope));
    return reconcileClient(abortable, { controller, key: this.#key, callSites, requests: scope });
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

const maxChanges = 16;

/**
 * Identifies one reconcile in logs and traces. The id is generated on first use, because most reconciles never need it.
 */
export class ReconcileId {
  readonly #rng: Rng;
  #text: string | undefined;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  get text(): string {
    this.#text ??= uuid(this.#rng);
    return this.#text;
  }

  /** Returns the log fields of the reconcile of `key`. */
  fields(key: string): LogFields {
    const id = this;
    return {
      key,
      get reconcileId() {
        return id.text;
      },
    };
  }
}
