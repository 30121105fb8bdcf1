import { type Context, type Controller, loggerTo, type Manager, type ManagerOptions, manager } from "trimtab";
import type { Stage } from "./scenario.ts";

/** Controllers that run in a scenario's namespace until they are disposed. */
export interface AtWork extends AsyncDisposable {
  readonly manager: Manager;
  /** Messages logged as warnings or errors. */
  readonly warnings: readonly string[];
}

/** Resolves when their caches have synced. */
export async function atWork(
  { client, namespace }: Stage,
  controllers: readonly Controller[],
  options: Partial<ManagerOptions> = {},
): Promise<AtWork> {
  const ended = new AbortController();
  const warnings: string[] = [];
  const log = loggerTo(({ level, message }) => {
    if (level === "warn" || level === "error") warnings.push(message);
  });
  const running = manager({ controllers, client, namespaces: [namespace], log, ...options });
  const over = running.run({ signal: ended.signal });
  over.catch(() => {}); // reported by `ready`, or at the end
  await running.ready;
  return {
    manager: running,
    warnings,
    async [Symbol.asyncDispose]() {
      ended.abort(new Error("the scenario is over"));
      await over;
    },
  };
}

/** Notes of reconciles, in order, for a scenario that waits for the next. */
export class Notes {
  readonly #notes: string[] = [];
  readonly #waiting: ((note: string) => void)[] = [];

  add(note: string): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(note);
    else this.#notes.push(note);
  }

  /** Resolves with the next note that was not returned yet. */
  async next(signal: AbortSignal): Promise<string> {
    const note = this.#notes.shift();
    if (note !== undefined) return note;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(new Error("expected a note, got none in time"));
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push((told) => {
        signal.removeEventListener("abort", abort);
        resolve(told);
      });
    });
  }

  /** Returns the notes that were not returned yet. */
  get left(): readonly string[] {
    return this.#notes;
  }
}

/** Describes the reasons of a reconcile: "added ConfigMap a, updated Secret b". */
export function whyOf({ reasons }: Context): string {
  return reasons.map(({ event, kind, key }) => `${event} ${kind} ${key.split("/").at(-1)}`).join(", ");
}
