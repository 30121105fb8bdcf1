import { follow, type Logger, unlessAborted } from "../base/index.ts";
import { SyncError } from "../cache/index.ts";
import { isNotFound, UnknownKindError } from "../client/index.ts";
import { type Controller, RunningController } from "../controller/index.ts";
import { isAbortOf } from "./abort-of.ts";
import { kindsAreThere, type WantedKind, whichAreMissing } from "./kinds-wait.ts";
import { ManagedPart } from "./managed-part.ts";
import { Readiness } from "./readiness.ts";
import type { Workplace } from "./workplace.ts";

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
  #workplace: Workplace | undefined;
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
    return (this.#running?.working ?? []).map((key) => `${this.name} ${key}`);
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.close();
  }

  /** To be called when the server has said that there is no such thing as one of its kinds. It may be wrong for a moment. */
  async look(): Promise<void> {
    const workplace = this.#workplace;
    const activity = this.#activity;
    if (!workplace || !activity || this.#looking) return;
    this.#looking = true;
    try {
      const log = this.#log(workplace);
      const missing = await whichAreMissing(this.#kinds(workplace), { signal: activity.signal, log });
      if (missing.length > 0) activity.abort(new Error("a kind that it needs is gone"));
    } catch (error) {
      if (!isAbortOf(error, activity.signal)) throw error;
    } finally {
      this.#looking = false;
    }
  }

  protected endOf({ stop }: Workplace): AbortSignal {
    return stop;
  }

  protected async work(workplace: Workplace, signal: AbortSignal): Promise<void> {
    this.#workplace = workplace;
    using _cancel = follow(workplace.cancel, (reason) => this.cancel(reason));
    signal.throwIfAborted();
    await workplace.check(this.controller, signal);
    for (let patient = workplace.waits; !signal.aborted; patient = true) {
      if (patient) await this.#wait(workplace, signal);
      await this.#activate({ workplace, signal, patient });
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

  async #wait(workplace: Workplace, signal: AbortSignal): Promise<void> {
    const { clock, rng } = workplace.environment;
    await kindsAreThere({
      kinds: this.#kinds(workplace),
      signal,
      log: this.#log(workplace),
      clock,
      rng,
      onMissing: (kinds) => {
        this.#state = { phase: "waiting", kinds };
        this.#settled.reach();
      },
    });
  }

  async #activate({ workplace, signal, patient }: Activation): Promise<void> {
    const activity = new AbortController();
    using _stop = follow(signal, (reason) => activity.abort(reason));
    const running = new RunningController(this.controller, workplace.environmentOf(this.controller));
    this.#state = { phase: "filling", awaited: isAwaiting(this.#state) };
    this.#running = running;
    if (patient) this.#activity = activity;
    try {
      running.prepare();
      workplace.startCaches();
      await unlessAborted(running.synced, activity.signal);
      this.#isActive(activity);
      const { everywhere = false } = this.controller.options;
      await unlessAborted(everywhere ? workplace.filled : workplace.leading, activity.signal);
      await running.work({ stop: activity.signal, cancel: this.#cancel.signal });
    } catch (error) {
      if (patient && error instanceof SyncError && (this.began || isGone(error.cause)))
        this.#log(workplace).error("caches could not be filled; tried again", { error: error.message });
      else if (!isAbortOf(error, activity.signal)) throw error;
    } finally {
      this.#activity = undefined;
      if (!workplace.stop.aborted) await this.close();
    }
  }

  #isActive(activity: AbortController): void {
    this.#state = { phase: "active" };
    this.#activity = activity;
    this.begin();
    this.#settled.reach();
  }

  #kinds({ client }: Workplace): WantedKind[] {
    const { for: primary, on = [] } = this.controller.options;
    const watched = on.flatMap((trigger) =>
      trigger.kind ? [{ kind: trigger.kind, client: trigger.cluster?.live ?? client }] : [],
    );
    return [{ kind: primary, client }, ...watched];
  }

  #log({ environment }: Workplace): Logger {
    return environment.log.with({ controller: this.name });
  }
}

/** One time of being active. */
interface Activation {
  readonly workplace: Workplace;
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
