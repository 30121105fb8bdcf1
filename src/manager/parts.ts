import { asError, type Logger } from "../base/index.ts";
import type { Controller } from "../controller/index.ts";
import { ManagedController } from "./managed-controller.ts";
import { ManagedRunnable } from "./managed-runnable.ts";
import type { ManagerContext } from "./manager-context.ts";
import type { Runnable } from "./runnable.ts";

export type Part = ManagedController | ManagedRunnable;

export interface PartsOptions {
  readonly log: Logger;
  /** Called when an essential part fails. */
  readonly onFailed: (error: Error) => void;
  /** Throws if the caches do not keep what a controller needs. */
  readonly check: (controller: Controller) => void;
}

/** The controllers and runnables of a manager: the initial ones and those added later. */
export class Parts {
  readonly #options: PartsOptions;
  /** Parts with the promise of their run, once they run. Stopped parts are removed. */
  readonly #parts = new Map<Part, Promise<void> | undefined>();
  #context: ManagerContext | undefined;

  constructor(options: PartsOptions) {
    this.#options = options;
  }

  get controllers(): ManagedController[] {
    return this.#all().filter((part) => part instanceof ManagedController);
  }

  get runnables(): ManagedRunnable[] {
    return this.#all().filter((part) => part instanceof ManagedRunnable);
  }

  /** Names of running work, for messages. */
  get working(): string[] {
    return this.#all().flatMap(({ working }) => working);
  }

  add(given: Controller | Runnable): Part {
    if (this.#all().some(({ name }) => name === given.name)) {
      throw new TypeError(
        `expected unique controller names, got two controllers named ${JSON.stringify(given.name)}`,
      );
    }
    if (!("run" in given)) this.#check(given);
    const part = "run" in given ? new ManagedRunnable(given) : new ManagedController(given);
    this.#parts.set(part, undefined);
    if (this.#context) this.#run(part, this.#context, false);
    return part;
  }

  /** Runs all parts, and those added later. */
  start(context: ManagerContext): void {
    this.#context = context;
    const checked: ManagerContext = { ...context, check: async () => {} }; // they were checked together before
    for (const part of this.#all()) this.#run(part, checked, true);
  }

  /** Resolves when the given parts have ended, successfully or not. */
  async over(parts: readonly Part[] = this.#all()): Promise<void> {
    await Promise.allSettled(parts.map(async (part) => this.#parts.get(part)));
  }

  /** Releases all caches. */
  async close(): Promise<void> {
    await Promise.all(this.controllers.map((controller) => controller.close()));
  }

  /** @param essential True if a failure to start stops the manager. */
  #run(part: Part, context: ManagerContext, essential: boolean): void {
    const over = part.run(context).then(
      () => this.#ended(part, context),
      (error: unknown) => this.#failed(part, asError(error), essential),
    );
    this.#parts.set(part, over);
  }

  /**
   * Removes a part that has ended. A part that ended with the manager stays, because other parts may read its caches.
   */
  #ended(part: Part, { stop }: ManagerContext): void {
    if (!stop.aborted) this.#parts.delete(part);
  }

  /** Stops the manager, unless the part was added later and never started. */
  #failed(part: Part, error: Error, essential: boolean): void {
    const started = part instanceof ManagedRunnable || part.started;
    if (essential || started) return this.#options.onFailed(error);
    this.#options.log.error("added part failed to start", { name: part.name, error: error.message });
    this.#parts.delete(part);
  }

  #check(given: Controller): void {
    this.#options.check(given);
    for (const { controller } of this.controllers) checkIdentities(controller, given);
  }

  #all(): Part[] {
    return [...this.#parts.keys()].filter(({ withdrawn }) => !withdrawn);
  }
}

/**
 * Throws if two controllers share a field manager, because an apply of one would delete the fields of the other, or
 * share a finalizer of one kind, because the clean-up of one would remove it before the other has run.
 */
function checkIdentities(one: Controller, other: Controller): void {
  const both = `for both ${JSON.stringify(one.name)} and ${JSON.stringify(other.name)}`;
  if (one.fieldManager === other.fieldManager) {
    throw new TypeError(
      `expected a different field manager for each controller, got ${JSON.stringify(one.fieldManager)} ${both}; ` +
        "set `fieldManager` of one of them",
    );
  }
  const { finalizer } = one.options;
  if (finalizer !== undefined && finalizer === other.options.finalizer && haveSameKind(one, other)) {
    throw new TypeError(
      `expected each controller of ${one.options.for.kind} to have its own finalizer, got ${JSON.stringify(finalizer)} ${both}`,
    );
  }
}

function haveSameKind(
  { options: { for: one } }: Controller,
  { options: { for: other } }: Controller,
): boolean {
  return one.group === other.group && one.kind === other.kind;
}
