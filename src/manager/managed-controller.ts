import { type Logger, onAbort, unlessAborted } from "../base/index.ts";
import { SyncError } from "../cache/index.ts";
import { isNotFound, UnknownKindError } from "../client/index.ts";
import { type Controller, RunningController } from "../controller/index.ts";
import { isAbortedBy } from "./is-aborted-by.ts";
import { kindsAreThere, type WantedKind, whichAreMissing } from "./kinds-wait.ts";
import { ManagedPart } from "./managed-part.ts";
import type { ManagerContext } from "./manager-context.ts";
import { Readiness } from "./readiness.ts";

/** Where a controller stands. */
export type ControllerState =
  /** It has not begun, or its caches are being filled: where `awaited`, with kinds that the server did not have before. */
  | { readonly phase: "filling"; readonly awaited?: boolean | undefined }
  /** The server does not have these kinds. */
  | { readonly phase: "waiting"; readonly kinds: readonly string[] }
  /** It reconciles, or would if this process led. */
  | { readonly phase: "active" }
  | { readonly phase: "stopped" };

/**
 * One controller of a manager.
 *
 * ```
 *   waiting ─▶ filling ─▶ active ─▶ stopped
 *      ▲                    │
 *      └── a kind is gone ──┘
 * ```
 *
 * Each time that it becomes active it begins with everything there is: nothing that happened meanwhile is missed.
 */
export class ManagedController extends ManagedPart {
  readonly controller: Controller;
  readonly #settled = new Readiness();
  readonly #cancel = new AbortController();
  #state: ControllerState = { phase: "filling" };
  #running: RunningController | undefined;
  /** Ends the time of being active. */
  #activity: AbortController | undefined;
  #context: ManagerContext | undefined;
  #looking = false;

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

  /** Resolves when its caches are filled, or it is known that it waits for a kind. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** It stands still when a kind goes, and says so. */
  get looks(): boolean {
    return this.#activity !== undefined;
  }

  get state(): ControllerState {
    return this.#state;
  }

  /** While there is one: what is at work. */
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

  /** To be called when the server has said that there is no such thing as one of its kinds. It may be wrong for a moment. */
  async look(): Promise<void> {
    const context = this.#context;
    const activity = this.#activity;
    if (!context || !activity || this.#looking) return;
    this.#looking = true;
    try {
      const log = this.#log(context);
      const missing = await whichAreMissing(this.#kinds(context), { signal: activity.signal, log });
      if (missing.length > 0) activity.abort(new Error("a kind that it needs is gone"));
    } catch (error) {
      if (!isAbortedBy(error, activity.signal)) throw error;
    } finally {
      this.#looking = false;
    }
  }

  protected endOf({ stop }: ManagerContext): AbortSignal {
    return stop;
  }

  protected async work(context: ManagerContext, signal: AbortSignal): Promise<void> {
    this.#context = context;
    using _cancel = onAbort(context.cancel, (reason) => this.cancel(reason));
    signal.throwIfAborted();
    await context.check(this.controller, signal);
    for (let patient = context.waits; !signal.aborted; patient = true) {
      if (patient) await this.#wait(context, signal);
      await this.#activate({ context, signal, patient });
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
    await kindsAreThere({
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

  async #activate({ context, signal, patient }: Activation): Promise<void> {
    const activity = new AbortController();
    using _stop = onAbort(signal, (reason) => activity.abort(reason));
    const running = new RunningController(this.controller, context.environmentOf(this.controller));
    this.#state = { phase: "filling", awaited: isAwaiting(this.#state) };
    this.#running = running;
    if (patient) this.#activity = activity;
    try {
      running.prepare();
      context.startCaches();
      await unlessAborted(running.synced, activity.signal);
      this.#isActive(activity);
      const { everywhere = false } = this.controller.options;
      await unlessAborted(everywhere ? context.filled : context.leading, activity.signal);
      await running.work({ stop: activity.signal, cancel: this.#cancel.signal });
    } catch (error) {
      if (patient && error instanceof SyncError && (this.began || isGone(error.cause)))
        this.#log(context).error("caches could not be filled; tried again", { error: error.message });
      else if (!isAbortedBy(error, activity.signal)) throw error;
    } finally {
      this.#activity = undefined;
      if (!context.stop.aborted) await this.close();
    }
  }

  #isActive(activity: AbortController): void {
    this.#state = { phase: "active" };
    this.#activity = activity;
    this.begin();
    this.#settled.reach();
  }

  #kinds({ client }: ManagerContext): WantedKind[] {
    const { for: primary, on = [] } = this.controller.options;
    const watched = on.flatMap((trigger) =>
      trigger.kind ? [{ kind: trigger.kind, client: trigger.cluster?.live ?? client }] : [],
    );
    return [{ kind: primary, client }, ...watched];
  }

  #log({ environment }: ManagerContext): Logger {
    return environment.log.with({ controller: this.name });
  }
}

/** One time of being active. */
interface Activation {
  readonly context: ManagerContext;
  readonly signal: AbortSignal;
  /** Whether it begins anew when a kind goes, or, once it was active, its caches are not filled in time. */
  readonly patient: boolean;
}

/** Whether it needs kinds that the server does not have, or did not have until now. */
export function isAwaiting(state: ControllerState): boolean {
  return state.phase === "waiting" || (state.phase === "filling" && state.awaited === true);
}

/** The server has no such thing. */
export function isGone(error: unknown): boolean {
  return isNotFound(error) || error instanceof UnknownKindError;
}
