import type { Client } from "../client/index.ts";
import type { Controller, ControllerEnvironment } from "../controller/index.ts";
import type { EventRecorder } from "../recorder/index.ts";

/** What a manager that runs gives to its controllers and runnables. */
export interface ManagerContext {
  /** What all of them share. */
  readonly environment: ControllerEnvironment;
  /** The same, with the client and the event recorder that belong to this controller: fenced unless it runs everywhere. */
  environmentOf(controller: Controller): ControllerEnvironment;
  /** The event recorder of a runnable, by its name. */
  eventsOf(name: string): EventRecorder;
  /** Reads from the caches, for runnables that run everywhere: its writes do not end with leadership. */
  readonly unfenced: Client;
  /** Neither fenced nor cached, for looking which kinds there are. */
  readonly client: Client;
  /** Whether kinds that are missing at the start are waited for. */
  readonly waits: boolean;
  /** How long one that is stopped may take to end what it has begun. */
  readonly drainMs: number;
  /** Resolves when the caches of those it began with are filled, but for those that wait for a kind. Never rejects. */
  readonly filled: Promise<void>;
  /** Resolves when this process leads. Never rejects. */
  readonly leading: Promise<void>;
  /** Aborted when the manager ends: nothing more is begun. */
  readonly stop: AbortSignal;
  /** Aborted when those who need leadership, and nobody else is left to feed, are to end. */
  readonly stopLeading: AbortSignal;
  /** Aborted when what was begun is to end at once. */
  readonly cancel: AbortSignal;
  /** Throws where it makes no sense to start this controller. */
  check(controller: Controller, signal: AbortSignal): Promise<void>;
  /** Starts the informers that have been asked for. */
  startCaches(): void;
}
