import { asError, follow, type Logger, unlessAborted } from "../base/index.ts";
import { SyncError } from "../cache/index.ts";
import { isNotFound, UnknownKindError } from "../client/index.ts";
import { type Controller, RunningController, type Trigger } from "../controller/index.ts";
import { isAbortOf } from "./abort-of.ts";
import type { Added } from "./added.ts";
import { drain } from "./drain.ts";
import { KeptSource } from "./kept-source.ts";
import { kindsAreThere, type WantedKind, whichAreMissing } from "./kinds-wait.ts";
import { Readiness } from "./readiness.ts";
import type { Workplace } from "./workplace.ts";

/** Where a controller stands. */
export type ControllerState =
  /** It has not begun, or its caches are being filled. */
  | { readonly phase: "filling" }
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
export class ManagedController implements Added {
  readonly controller: Controller;
  readonly #ready = new Readiness();
  readonly #settled = new Readiness();
  readonly #sources: readonly KeptSource<unknown>[];
  readonly #stop = new AbortController();
  readonly #cancel = new AbortController();
  #state: ControllerState = { phase: "filling" };
  #running: RunningController | undefined;
  /** Ends the time of being active. */
  #activity: AbortController | undefined;
  #over: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #workplace: Workplace | undefined;
  #looking = false;

  constructor(controller: Controller) {
    const kept = keepingSources(controller);
    this.controller = kept.controller;
    this.#sources = kept.sources;
  }

  get name(): string {
    return this.controller.name;
  }

  /** It was stopped before it was run. */
  get withdrawn(): boolean {
    return this.#stop.signal.aborted && !this.#over;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when its caches are filled, or it is known that it waits for a kind. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** It has been active. */
  get began(): boolean {
    return this.#ready.reached;
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

  /**
   * Works until it is stopped or the manager ends. What it has read from stays until `close`, so that others may read there
   * until they have ended too. Rejects where it cannot begin.
   */
  run(workplace: Workplace): Promise<void> {
    this.#workplace = workplace;
    this.#over = this.#run(workplace);
    return this.#over;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Lets go of its caches. */
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

  async #run(workplace: Workplace): Promise<void> {
    const { signal } = this.#stop;
    using _stop = follow(workplace.stop, (reason) => this.#stop.abort(reason));
    using _cancel = follow(workplace.cancel, (reason) => this.#cancel.abort(reason));
    try {
      signal.throwIfAborted();
      await workplace.check(this.controller, signal);
      for (let patient = workplace.waits; !signal.aborted; patient = true) {
        if (patient) await this.#wait(workplace);
        await this.#activate(workplace, patient);
      }
    } catch (error) {
      if (!isAbortOf(error, signal)) throw this.#failed(error);
    } finally {
      this.#state = { phase: "stopped" };
      for (const source of this.#sources) source.end();
      this.#failed(new Error(`expected controller ${this.name} to become ready, got it ended before`));
    }
  }

  async #wait(workplace: Workplace): Promise<void> {
    const { clock, rng } = workplace.surroundings;
    await kindsAreThere({
      kinds: this.#kinds(workplace),
      signal: this.#stop.signal,
      log: this.#log(workplace),
      clock,
      rng,
      onMissing: (kinds) => {
        this.#state = { phase: "waiting", kinds };
        this.#settled.reach();
      },
    });
  }

  /** @param patient whether it begins anew when a kind goes, or, once it was active, its caches are not filled in time. */
  async #activate(workplace: Workplace, patient: boolean): Promise<void> {
    const activity = new AbortController();
    using _stop = follow(this.#stop.signal, (reason) => activity.abort(reason));
    const running = new RunningController(this.controller, workplace.surroundings);
    this.#state = { phase: "filling" };
    this.#running = running;
    if (patient) this.#activity = activity;
    try {
      running.prepare();
      workplace.startCaches();
      await unlessAborted(running.synced, activity.signal);
      this.#isActive(activity);
      await unlessAborted(workplace.leading, activity.signal);
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
    this.#ready.reach();
    this.#settled.reach();
  }

  async #end(): Promise<void> {
    this.#stop.abort(new Error(`controller ${this.name} is stopped`));
    const workplace = this.#workplace;
    if (!workplace || !this.#over) {
      this.#failed(this.#stop.signal.reason);
      this.#state = { phase: "stopped" };
      return;
    }
    const { clock } = workplace.surroundings;
    const cancel = (reason: Error): void => this.#cancel.abort(reason);
    await drain(this.#over, { drainMs: workplace.drainMs, clock, cancel, working: () => this.working });
    await this.close();
  }

  /** What nobody waits for any more. */
  #failed(error: unknown): Error {
    const failure = asError(error);
    this.#ready.fail(failure);
    this.#settled.fail(failure);
    return failure;
  }

  #kinds({ client }: Workplace): WantedKind[] {
    const { for: primary, on = [] } = this.controller.options;
    const watched = on.flatMap((trigger) =>
      trigger.kind ? [{ kind: trigger.kind, client: trigger.cluster?.live ?? client }] : [],
    );
    return [{ kind: primary, client }, ...watched];
  }

  #log({ surroundings }: Workplace): Logger {
    return surroundings.log.with({ controller: this.name });
  }
}

/** The server has no such thing. */
export function isGone(error: unknown): boolean {
  return isNotFound(error) || error instanceof UnknownKindError;
}

/** A source of keys is read by one activity after the other, and is not to end with the first. */
function keepingSources(controller: Controller): {
  readonly controller: Controller;
  readonly sources: readonly KeptSource<unknown>[];
} {
  const sources: KeptSource<unknown>[] = [];
  const on = controller.options.on?.map((trigger): Trigger => {
    if (trigger.type !== "external") return trigger;
    const keys = new KeptSource(trigger.keys);
    sources.push(keys);
    return { ...trigger, keys };
  });
  return { controller: { ...controller, options: { ...controller.options, on } }, sources };
}
