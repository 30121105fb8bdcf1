import { keyText } from "../api/index.ts";
import { type Controller, isTerminal } from "../controller/index.ts";
import { type AroundReconcile, aroundReconciles } from "./around-reconciles.ts";

/**
 * Records which reconciles of the observed controllers failed: controller, key, number of attempts, last error.
 *
 * It keeps every key that is being retried, as the controllers themselves do, and the newest 100 others.
 */
export class ReconcileFailures {
  /** The reconcile that started last: `website default/a`. */
  last: string | undefined;
  /** Keys that failed and are retried, by controller and key. */
  readonly #retrying = new Map<string, Failure>();
  /** Keys that failed and then succeeded, or failed for good. The oldest is first. */
  readonly #settled = new Map<string, Failure>();
  /** Number of failures recorded so far. */
  #count = 0;

  /** Returns a copy of the controller whose failures are recorded here. */
  observe(controller: Controller): Controller {
    const watched = aroundReconciles(controller, this.#watch);
    const { onError } = controller.options;
    const observed: Pick<Controller["options"], "onError"> = {
      onError: (error, key, context) => {
        this.#failed(`${controller.name} ${keyText(key)}`, error);
        return onError?.(error, key, context);
      },
    };
    return { ...watched, options: { ...watched.options, ...observed } };
  }

  /** Lists the reconciles that failed and are retried: `website default/a failing: no such bucket`. */
  get retrying(): string[] {
    return Array.from(this.#retrying, ([reconcile, { message }]) => `${reconcile} failing: ${message}`);
  }

  /** A mark for `since`: failures recorded from now on are newer. */
  get now(): number {
    return this.#count;
  }

  /** Describes, one line each, the reconciles that failed after `mark` and those that are being retried. */
  since(mark: number): string[] {
    const settled = [...this.#settled].filter(([, failure]) => failure.sequence > mark);
    return [...this.#retrying, ...settled]
      .sort(([, a], [, b]) => a.sequence - b.sequence)
      .map(
        ([reconcile, failure]) => `${reconcile} failed${outcomeText(failure)}: ${shortened(failure.message)}`,
      );
  }

  readonly #watch: AroundReconcile = async (reconcile, run) => {
    this.last = reconcile;
    const result = await run();
    const failure = this.#retrying.get(reconcile) ?? this.#settled.get(reconcile);
    if (failure && failure.outcome !== "succeeded")
      this.#settle(reconcile, { ...failure, outcome: "succeeded" });
    return result;
  };

  #failed(reconcile: string, error: Error): void {
    const times = (this.#retrying.get(reconcile)?.times ?? 0) + 1;
    this.#count += 1;
    const failure = { times, sequence: this.#count, message: error.message };
    if (isTerminal(error)) this.#settle(reconcile, { ...failure, outcome: "terminal" });
    else this.#retrying.set(reconcile, { ...failure, outcome: "retrying" });
  }

  #settle(reconcile: string, failure: Failure): void {
    this.#retrying.delete(reconcile);
    this.#settled.delete(reconcile);
    this.#settled.set(reconcile, failure);
    if (this.#settled.size <= maxSettled) return;
    const [oldest = ""] = this.#settled.keys();
    this.#settled.delete(oldest);
  }
}

interface Failure {
  readonly times: number;
  /** Position among all recorded failures: higher is newer. */
  readonly sequence: number;
  /** Message of the last error. */
  readonly message: string;
  readonly outcome: "retrying" | "succeeded" | "terminal";
}

const maxSettled = 100;
const maxMessageLength = 300;

function outcomeText({ times, outcome }: Failure): string {
  const often = times === 1 ? "" : ` ${times} times`;
  if (outcome === "retrying") return often;
  return `${often}, ${outcome === "succeeded" ? "then succeeded" : "and is not retried"}`;
}

/** Returns the message on one line of bounded length. */
function shortened(message: string): string {
  const line = message.replace(/\s+/g, " ");
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)}…`;
}
