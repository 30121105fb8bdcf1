import type { Client } from "../client/index.ts";
import type { Controller, ControllerEnvironment } from "../controller/index.ts";
import type { EventRecorder } from "../recorder/index.ts";

/** Services and signals of a running manager for its controllers and runnables. */
export interface ManagerContext {
  /** The shared environment. */
  readonly environment: ControllerEnvironment;
  /**
   * Returns the environment with the client and event recorder of a controller. The client is fenced unless it runs
   * everywhere.
   */
  environmentOf(controller: Controller): ControllerEnvironment;
  /** Returns the event recorder of a runnable. */
  eventsOf(name: string): EventRecorder;
  /** Reads from the caches and writes without leadership, for runnables that run everywhere. */
  readonly unfenced: Client;
  /** Neither fenced nor cached, for discovery. */
  readonly client: Client;
  /** True if controllers wait for kinds that are missing at startup. */
  readonly waitsForKinds: boolean;
  /** Time for a stopped part to end its running work. */
  readonly drainMs: number;
  /**
   * Resolves when the caches of the initial controllers have synced, except those that wait for a kind. Never rejects.
   */
  readonly synced: Promise<void>;
  /** Resolves when this process has acquired the lease. Never rejects. */
  readonly leading: Promise<void>;
  /** Aborted when the manager stops. No new work starts. */
  readonly stop: AbortSignal;
  /** Aborted when the parts that need leadership stop, after the runnables that run everywhere. */
  readonly stopLeading: AbortSignal;
  /** Aborted when running work is cancelled. */
  readonly cancel: AbortSignal;
  /** Throws if kinds or permissions of this controller are missing. */
  check(controller: Controller, signal: AbortSignal): Promise<void>;
  /** Starts the requested informers. */
  startCaches(): void;
}
