import {
  asError,
  createLogger,
  guardedLogger,
  type Logger,
  Milestone,
  onAbort,
  prometheus,
  realClock,
  realRng,
  unlessAborted,
  untilAborted,
} from "../base/index.ts";
import { checkNamespaces } from "../cache/index.ts";
import { type Client, connect } from "../client/index.ts";
import {
  CachingClient,
  type Controller,
  type ControllerEnvironment,
  DeclaredCache,
} from "../controller/index.ts";
import { Detector } from "../detector/index.ts";
import { type Elector, fenced, LeadershipLostError } from "../election/index.ts";
import { recorder } from "../recorder/index.ts";
import type { Transport } from "../transport/index.ts";
import { CacheConfig } from "./cache-config.ts";
import { Caches, handlersSynced } from "./caches.ts";
import { drain } from "./drain.ts";
import { Election } from "./election.ts";
import { isAbortedBy, userFacingError } from "./errors.ts";
import { isAwaiting, isNotServed, type ManagedController } from "./managed-controller.ts";
import { ManagedWebhooks } from "./managed-webhooks.ts";
import type { Manager, ManagerAddresses, ManagerOptions } from "./manager.ts";
import type { ManagerContext } from "./manager-context.ts";
import { Parts } from "./parts.ts";
import {
  controllerNeeds,
  electionNeeds,
  handlerNeed,
  type Need,
  type WatchedNamespaces,
} from "./preflight/needs.ts";
import { preflightEverywhere } from "./preflight/preflight.ts";
import { cachesSynced, sourceStates, type Watched, watchStaleness } from "./readiness-checks.ts";
import type { RunResources, SharedDependencies } from "./run-resources.ts";
import type { Runnable, RunnableHandle } from "./runnable.ts";
import { accessGuardNeeds } from "./servers/access-guard.ts";
import type { HealthCheck } from "./servers/health-server.ts";
import { Servers } from "./servers/servers.ts";

/** Creates a manager without starting it. Throws if two controllers have the same name. */
export function manager(options: ManagerOptions): Manager {
  return new ControllerManager(options);
}

/** Starts its parts in order and stops them in reverse order. */
class ControllerManager implements Manager {
  readonly cache: DeclaredCache = new DeclaredCache();
  readonly #options: ManagerOptions;
  readonly #config: CacheConfig;
  readonly #shared: SharedDependencies;
  readonly #detector: Detector | undefined;
  readonly #log: Logger;
  readonly #parts: Parts;
  readonly #webhooks: ManagedWebhooks;
  readonly #ready = new Milestone();
  readonly #synced = new Milestone();
  readonly #leading = new Milestone();
  /** Aborted when the manager stops: by its signal, by a failure, or because the lease is lost. */
  readonly #ending = new AbortController();
  readonly #stopLeading = new AbortController();
  readonly #cancel = new AbortController();
  #client: CachingClient | undefined;
  #servers: Servers | undefined;
  /** The first failure. */
  #failure: { readonly error: Error } | undefined;
  #drained: Promise<void> | undefined;
  #started = false;

  constructor(options: ManagerOptions) {
    const { clock = realClock, rng = realRng, registry = prometheus() } = options;
    checkNamespaces(options.namespaces);
    this.#options = options;
    this.#config = new CacheConfig(options.cache ?? {}, options.namespaces);
    this.#log = options.log ? guardedLogger(options.log) : createLogger({ clock });
    this.#shared = { clock, rng, log: this.#log, metrics: registry };
    const { detector: limits = {} } = options;
    this.#detector = limits ? new Detector({ ...limits, ...this.#shared }) : undefined;
    this.#webhooks = new ManagedWebhooks(options);
    this.#parts = new Parts({
      log: this.#log,
      onFailed: (error) => this.#fail(error),
      check: (added) => this.#config.check(added),
    });
    for (const part of [...options.controllers, ...(options.runnables ?? [])]) this.#parts.add(part);
  }

  get client(): Client {
    if (this.#client) return this.#client;
    throw new Error("manager not started; await its `ready` first");
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get idle(): boolean {
    return this.#parts.controllers.every(({ running }) => running?.idle ?? true);
  }

  get addresses(): ManagerAddresses {
    return {
      metrics: this.#servers?.addressOf("metrics"),
      health: this.#servers?.addressOf("health"),
      webhooks: this.#webhooks.address,
    };
  }

  add(part: Controller | Runnable): RunnableHandle {
    if (this.#ending.signal.aborted) {
      throw new Error(`manager has ended; cannot add ${part.name}`);
    }
    return this.#parts.add(part);
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#started) throw new Error("manager already started");
    this.#started = true;
    using _outer = onAbort(signal, (reason) => this.#ending.abort(reason));
    try {
      await this.#run();
      const cause = this.#ending.signal.reason;
      this.#ready.fail(new Error("expected a manager to become ready, but it ended first", { cause }));
    } catch (error) {
      this.#ready.fail(asError(error));
      if (!isAbortedBy(error, signal)) throw userFacingError(error);
    } finally {
      this.#ending.abort(new Error("the manager has ended"));
    }
  }

  async runUntil<T>(work: Promise<T>): Promise<T> {
    const done = new AbortController();
    const end = (): void => done.abort(new Error("the work is done"));
    const watched = work.finally(end);
    watched.catch(() => {}); // thrown below
    await this.run({ signal: done.signal });
    return watched;
  }

  async #run(): Promise<void> {
    const { client: given } = this.#options;
    const client = given ?? (await connect(this.#shared));
    try {
      await this.#withClient(client);
    } finally {
      if (!given) await client.close();
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #withClient(client: Client): Promise<void> {
    const { syncTimeoutMs, strictReads: strict } = this.#options;
    using _recorded = client.recordMetrics(this.#shared.metrics);
    await using election = this.#election(client);
    const elector = election?.elector;
    await using servers = await this.#serve(client, elector);
    this.#servers = servers;
    await this.#preflight(client, this.#needs(client), this.#ending.signal);
    const layer = (transport: Transport): Transport => (elector ? fenced(transport, elector) : transport);
    const live = client.through(layer);
    const onWatchError = (error: Error): boolean => this.#watchFailed(error);
    const caching = { syncTimeoutMs, onWatchError, ...this.#shared };
    const controllers = (): Controller[] => this.#parts.controllers.map(({ controller }) => controller);
    await using caches = new Caches({
      ...{ client, layer, controllers, cache: this.cache, config: this.#config },
      ...caching,
    });
    await using _parts = { [Symbol.asyncDispose]: () => this.#parts.close() };
    // Not fenced: events of the last reconciles are delivered after leadership has ended.
    await using events = recorder({ client, component: "trimtab", ...this.#shared }); // each part sets its own component
    const fencedClient = new CachingClient({ live, cache: this.cache, strict });
    const unfenced = elector ? new CachingClient({ live: client, cache: this.cache, strict }) : fencedClient;
    this.#client = fencedClient;
    const clients = { client, fenced: fencedClient, unfenced };
    // They start before the caches, which may need their conversion, and stop before them, because handlers read the
    // caches.
    await using _webhooks = await this.#webhooks.start({
      ...this.#shared,
      client: unfenced,
      cache: this.cache,
      live: client,
    });
    await this.#work(this.#newContext({ ...clients, caches, events }), elector);
  }

  /** Syncs the caches, acquires the lease, and runs until every part has stopped. */
  async #work(context: ManagerContext, elector: Elector | undefined): Promise<void> {
    const { signal } = this.#ending;
    this.#parts.start(context);
    try {
      await unlessAborted(this.#sync(), signal);
      await (elector ? elector.run((leading) => this.#lead(leading), { signal }) : this.#lead(signal));
    } catch (error) {
      if (!isAbortedBy(error, signal)) this.#fail(asError(error));
    }
    await this.#drain().catch((error: unknown) => this.#fail(asError(error)));
  }

  /** Waits for the caches. Controllers that wait for a missing kind delay only `ready`. */
  async #sync(): Promise<void> {
    const { controllers } = this.#parts;
    const handled = handlersSynced(this.cache.handlers, this.#options.missingKinds === "wait");
    const ready = Promise.all([handled, ...controllers.map((controller) => controller.ready)]);
    ready.then(
      () => this.#ready.reach(),
      () => {}, // the failure also stops the manager
    );
    await Promise.all([handled, ...controllers.map(({ settled }) => settled)]);
    this.#synced.reach();
    const active = controllers.filter(({ state }) => state.phase === "active");
    this.#log.info("caches synced", { controllers: active.map(({ name }) => name) });
  }

  async #lead(signal: AbortSignal): Promise<void> {
    using _outer = onAbort(signal, (reason) => {
      if (reason instanceof LeadershipLostError) this.#fail(reason);
      else this.#ending.abort(reason);
    });
    this.#leading.reach();
    await untilAborted(this.#ending.signal);
    await this.#drain();
  }

  /** Drains once, while the lease is still held. */
  #drain(): Promise<void> {
    this.#drained ??= this.#drainNow();
    return this.#drained;
  }

  /**
   * Stops the runnables that run everywhere first, then the parts that need leadership. Does not wait if the lease is
   * lost.
   */
  async #drainNow(): Promise<void> {
    const { reason } = this.#ending.signal;
    const { drainMs = 25_000 } = this.#options;
    const stopLeading = (): void => this.#stopLeading.abort(reason);
    this.#log.info("stopping", { reason: asError(reason).message, working: this.#parts.working });
    const everywhere = this.#parts.runnables.filter(({ runnable }) => runnable.everywhere);
    const over = this.#parts
      .over(everywhere)
      .then(stopLeading)
      .then(() => this.#parts.over());
    const lost = reason instanceof LeadershipLostError;
    const cancel = (why: Error): void => {
      stopLeading();
      this.#cancel.abort(lost ? reason : why);
    };
    await drain(over, {
      drainMs: lost ? 0 : drainMs,
      clock: this.#shared.clock,
      cancel,
      working: () => this.#parts.working,
    });
  }

  #fail(error: Error): void {
    if (this.#failure?.error === error) return;
    if (this.#failure) this.#log.error("another part failed", { error });
    this.#failure ??= { error };
    this.#ending.abort(error);
  }

  /**
   * Handles a failed watch. On a 404, controllers check whether their kinds still exist. Returns true if one does, and
   * logs it.
   */
  #watchFailed(error: Error): boolean {
    const watching = isNotServed(error)
      ? this.#parts.controllers.filter(({ checksKinds }) => checksKinds)
      : [];
    for (const controller of watching) {
      controller.checkKinds().catch((failure: unknown) => this.#fail(asError(failure)));
    }
    return watching.length > 0;
  }

  #newContext({ client, fenced: leading, unfenced, caches, events }: RunResources): ManagerContext {
    const { missingKinds, drainMs = 25_000 } = this.#options;
    const environment: ControllerEnvironment = {
      client: leading,
      cache: this.cache,
      informers: caches.informers,
      clusterCacheOf: (cluster) => caches.of(cluster),
      events,
      detector: this.#detector,
      tracer: this.#options.tracer,
      ...this.#shared,
    };
    return {
      environment,
      environmentOf: ({ name, fieldManager, options }) => ({
        ...environment,
        events: events.withComponent(name),
        client: (options.everywhere ? unfenced : leading).withFieldManager(fieldManager, {
          takeOver: options.formerFieldManagers,
        }),
      }),
      eventsOf: (name) => events.withComponent(name),
      unfenced,
      client,
      waitsForKinds: missingKinds === "wait",
      drainMs,
      synced: this.#synced.promise,
      leading: this.#leading.promise,
      stop: this.#ending.signal,
      stopLeading: this.#stopLeading.signal,
      cancel: this.#cancel.signal,
      check: (controller, signal) =>
        this.#preflight(client, controllerNeeds(controller, this.#namespacesOf), signal),
      startCaches: () => caches.start(),
    };
  }

  readonly #namespacesOf: WatchedNamespaces = (kind, view) =>
    this.#config.resolve(kind, view).view.namespaces;

  #serve(client: Client, elector: Elector | undefined): Promise<Servers> {
    const { metrics, health } = this.#options;
    const { metrics: registry } = this.#shared;
    const watched = (): Watched[] =>
      [
        ...this.cache.handlers.informers,
        ...this.#parts.controllers.flatMap(({ running, state }) =>
          running && !isAwaiting(state) ? running.informers : [],
        ),
      ].filter(({ kind }) => !this.#webhooks.converts(kind));
    const gating = (): ManagedController[] =>
      this.#parts.controllers.filter(({ controller }) => !this.#webhooks.convertsFor(controller));
    const lease: HealthCheck[] = elector ? [{ name: "lease", check: () => elector.check() }] : [];
    return Servers.start({
      ...this.#shared,
      metrics,
      health,
      registry,
      client,
      alive: [{ name: "ping", check() {} }, ...lease],
      ready: [
        ...this.#webhooks.checks,
        cachesSynced(gating),
        watchStaleness(watched),
        sourceStates(() => this.#parts.controllers),
      ],
    });
  }

  #needs(client: Client): Need[] {
    const { leaderElection, metrics } = this.#options;
    const needs = this.#parts.controllers.flatMap((each) =>
      controllerNeeds(each.controller, this.#namespacesOf),
    );
    for (const { kind, view } of this.cache.handlers.kinds) {
      needs.push(handlerNeed(kind, view, this.#namespacesOf));
    }
    if (leaderElection) {
      const { name, namespace = client.namespace } = leaderElection;
      needs.push(...electionNeeds(name, namespace));
    }
    if (metrics !== false && metrics?.guarded) needs.push(...accessGuardNeeds);
    return [...needs, ...this.#webhooks.needs(client)];
  }

  async #preflight(client: Client, needs: readonly Need[], signal: AbortSignal): Promise<void> {
    const { preflight: enabled = true, missingKinds } = this.#options;
    const { log, clock } = this.#shared;
    if (!enabled) return;
    await preflightEverywhere(client, needs, { missingKinds, signal, log, clock });
  }

  #election(client: Client): Election | undefined {
    const { leaderElection } = this.#options;
    return leaderElection && new Election({ client, ...leaderElection, ...this.#shared });
  }
}
