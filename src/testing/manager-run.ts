import { asError } from "../base/index.ts";
import type { Manager } from "../manager/index.ts";

/** A manager of a cluster, from its start until the cluster is closed. Its failure is reported once. */
export class ManagerRun {
  readonly manager: Manager;
  /** Resolves when the manager has ended, also if it failed. */
  readonly ended: Promise<void>;
  /** The manager's failure, until it is reported. */
  #unreported: Error | undefined;

  constructor(manager: Manager, signal: AbortSignal) {
    this.manager = manager;
    this.ended = manager.run({ signal }).catch((error: unknown) => {
      this.#unreported = asError(error);
    });
  }

  /** Resolves when the caches have synced. Rejects with the manager's failure if it ends before that. */
  async ready(): Promise<void> {
    try {
      await this.manager.ready;
    } catch (error) {
      await this.ended;
      throw this.report() ?? error;
    }
  }

  /** Returns the failure of the manager, unless it was returned before. */
  report(): Error | undefined {
    const error = this.#unreported;
    this.#unreported = undefined;
    return error;
  }
}
