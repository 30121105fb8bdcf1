import { asError, type Logger } from "../base/index.ts";
import type { Controller } from "../controller/index.ts";
import { checkIdentities } from "./identities.ts";
import { ManagedController } from "./managed-controller.ts";
import { ManagedRunnable } from "./managed-runnable.ts";
import type { ManagerContext } from "./manager-context.ts";
import type { Runnable } from "./runnable.ts";

export type Part = ManagedController | ManagedRunnable;

export interface PartsOptions {
  readonly log: Logger;
  /** Told when one has failed that the manager cannot do without. */
  readonly onFailed: (error: Error) => void;
}

/** The controllers and runnables of a manager: those it began with, and those that were added. */
export class Parts {
  readonly #options: PartsOptions;
  /** Each with its end, once it runs. Those that were stopped are not here. */
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

  /** What is being done, for messages. */
  get working(): string[] {
    return this.#all().flatMap(({ working }) => working);
  }

  add(given: Controller | Runnable): Part {
    if (this.#all().some(({ name }) => name === given.name)) {
      throw new TypeError(
        `expected each controller to have a name of its own, got two called ${JSON.stringify(given.name)}`,
      );
    }
    if (!("run" in given)) this.#checkIdentities(given);
    const part = "run" in given ? new ManagedRunnable(given) : new ManagedController(given);
    this.#parts.set(part, undefined);
    if (this.#context) this.#run(part, this.#context, false);
    return part;
  }

  /** Runs what there is, and what comes. */
  start(context: ManagerContext): void {
    this.#context = context;
    const checked: ManagerContext = { ...context, check: async () => {} }; // all of them together, before
    for (const part of this.#all()) this.#run(part, checked, true);
  }

  /** Resolves when those of now have ended, however. */
  async over(of: readonly Part[] = this.#all()): Promise<void> {
    await Promise.allSettled(of.map(async (part) => this.#parts.get(part)));
  }

  /** Lets go of all caches. */
  async close(): Promise<void> {
    await Promise.all(this.controllers.map((controller) => controller.close()));
  }

  /** @param essential whether the manager cannot do without it from the beginning */
  #run(part: Part, context: ManagerContext, essential: boolean): void {
    const over = part.run(context).then(
      () => this.#ended(part, context),
      (error: unknown) => this.#failed(part, asError(error), essential),
    );
    this.#parts.set(part, over);
  }

  /** One that ended with the manager is kept, for its caches. */
  #ended(part: Part, { stop }: ManagerContext): void {
    if (!stop.aborted) this.#parts.delete(part);
  }

  /** What was added late and never began is its adder's trouble. */
  #failed(part: Part, error: Error, essential: boolean): void {
    const began = part instanceof ManagedRunnable || part.began;
    if (essential || began) return this.#options.onFailed(error);
    this.#options.log.error("could not begin what was added", { name: part.name, error: error.message });
    this.#parts.delete(part);
  }

  #checkIdentities(given: Controller): void {
    for (const { controller } of this.controllers) checkIdentities(controller, given);
  }

  #all(): Part[] {
    return [...this.#parts.keys()].filter(({ withdrawn }) => !withdrawn);
  }
}
