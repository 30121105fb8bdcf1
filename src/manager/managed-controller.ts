import { type Logger, Milestone, onAbort, unlessAborted } from "../base/index.ts";
import { SyncError } from "../cache/index.ts";
import { isNotFound, UnknownKindError } from "../client/index.ts";
import { type Controller, RunningController } from "../controller/index.ts";
import { isAbortedBy } from "./errors.ts";
import { ManagedPart } from "./managed-part.ts";
import type { ManagerContext } from "./manager-context.ts";
import { findMissingKinds, type RequiredKind, waitForKinds } from "./preflight/missing-kinds.ts";
import { watchedKinds } from "./watched-parts.ts";

/** The state of a controller. */
export type ControllerState =
  /** It has not started, or its caches are syncing. `awaited` is true if it waited for missing kinds before. */
  | { readonly phase: "syncing"; readonly awaited?: boolean | undefined }
  /** It waits for these kinds, which the server does not serve. */
  | { readonly phase: "waiting"; readonly kinds: readonly string[] }
  /** Its caches have synced. It reconciles if this process is the leader. */
  | { readonly phase: "active" }
  | { readonly phase: "stopped" };

/**
 * One controller of a manager.
 *
 * ```
 *   waiting ─▶ syncing ─▶ active ─▶ stopped
 *      ▲                    │
 *      └─ a kind is removed ┘
 * ```
 *
 * Each time it becomes active, it reconciles all objects, so that no change is missed.
 */
export class ManagedController extends ManagedPart {
  readonly controller: Controller;
  readonly #settled = new Milestone();
  readonly #cancel = new AbortController();
  #state: ControllerState = { phase: "syncing" };
  #running: RunningController | undefined;
  /** Ends the active phase. */
  #activity: AbortController | undefined;
  #context: ManagerContext | undefined;
  #checkingKinds = false;

  constructor(controller: Controller) {
    super();
    this.controller = controller;
  }

  get name(): string {
    return this.controller.name;
  }

  get title(): string {
    return `controller ${this.name}`;
  }

  /** Resolves when its caches have synced, or when it waits for a missing kind. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** True if the controller pauses when one of its kinds is removed. */
  get checksKinds(): boolean {
    return this.#activity !== undefined;
  }

  get state(): ControllerState {
    return this.#state;
  }

  /** The running controller; undefined while it waits or after it has stopped. */
  get running(): RunningController | undefined {
    return this.#running;
  }

  get working(): string[] {
    return (this.#running?.processing ?? []).map((key) => `${this.name} ${key}`);
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.close();
  }

  /**
   * Checks after a 404 whether the server still serves the kinds, and pauses the controller if not. A 404 may be
   * temporary.
   */
  async checkKinds(): Promise<void> {
    const context = this.#context;
    const activity = this.#activity;
    if (!context || !activity || this.#checkingKinds) return;
    this.#checkingKinds = true;
    try {
      const log = this.#log(context);
      const missing = await findMissingKinds(this.#kinds(context), { signal: activity.signal, log });
      if (missing.length > 0) activity.abort(new Error("a required kind was removed"));
    } catch (error) {
      if (!isAbortedBy(error, activity.signal)) throw error;
    } finally {
      this.#checkingKinds = false;
    }
  }

  protected stopSignal({ stop }: ManagerContext): AbortSignal {
    return stop;
  }

  protected async work(context: ManagerContext, signal: AbortSignal): Promise<void> {
    this.#context = context;
    using _cancel = onAbort(context.cancel, (reason) => this.cancel(reason));
    signal.throwIfAborted();
    await context.check(this.controller, signal);
    for (let waits = context.waitsForKinds; !signal.aborted; waits = true) {
      if (waits) await this.#wait(context, signal);
      await this.#activate({ context, signal, waits });
    }
  }

  protected cancel(reason: unknown): void {
    this.#cancel.abort(reason);
  }

  protected override ended(error: Error): void {
    this.#state = { phase: "stopped" };
    super.ended(error);
    this.#settled.fail(error);
  }

  async #wait(context: ManagerContext, signal: AbortSignal): Promise<void> {
    const { clock, rng } = context.environment;
    await waitForKinds({
      kinds: this.#kinds(context),
      signal,
      log: this.#log(context),
      clock,
      rng,
      onMissing: (kinds) => {
        this.#state = { phase: "waiting", kinds };
        this.#settled.reach();
      },
    });
  }

  async #activate({ context, signal, waits }: Activation): Promise<void> {
    const activity = new AbortController();
    using _stop = onAbort(signal, (reason) => activity.abort(reason));
    const running = new RunningController(this.controller, context.environmentOf(this.controller));
    this.#state = { phase: "syncing", awaited: isAwaiting(this.#state) };
    this.#running = running;
    if (waits) this.#activity = activity;
    try {
      running.prepare();
      context.startCaches();
      await unlessAborted(running.synced, activity.signal);
      this.#becomeActive(activity);
      const { everywhere = false } = this.controller.options;
      await unlessAborted(everywhere ? context.synced : context.leading, activity.signal);
      await running.work({ stop: activity.signal, cancel: this.#cancel.signal });
    } catch (error) {
      if (waits && error instanceof SyncError && (this.started || isNotServed(error.cause)))
        this.#log(context).error("cache sync failed; retrying", { error: error.message });
      else if (!isAbortedBy(error, activity.signal)) throw error;
    } finally {
      this.#activity = undefined;
      if (!context.stop.aborted) await this.close();
    }
  }

  #becomeActive(activity: AbortController): void {
    this.#state = { phase: "active" };
    this.#activity = activity;
    this.markReady();
    this.#settled.reach();
  }

  #kinds({ client }: ManagerContext): RequiredKind[] {
    const watched = watchedKinds(this.controller);
    return watched.map(({ kind, cluster }) => ({ kind, client: cluster?.live ?? client }));
  }

  #log({ environment }: ManagerContext): Logger {
    return environment.log.with({ controller: this.name });
  }
}

/** One active phase. */
interface Activation {
  readonly context: ManagerContext;
  readonly signal: AbortSignal;
  /** True if the controller restarts when a kind is removed or, after it was active, its caches do not sync in time. */
  readonly waits: boolean;
}

/** Returns true if the controller waits for missing kinds, or syncs their caches after it waited. */
export function isAwaiting(state: ControllerState): boolean {
  return state.phase === "waiting" || (state.phase === "syncing" && state.awaited === true);
}

/** Returns true if the server does not serve a resource. */
export function isNotServed(error: unknown): boolean {
  return isNotFound(error) || error instanceof UnknownKindError;
}
