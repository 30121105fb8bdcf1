import { inspect } from "node:util";
import type { ObjectKey } from "../api/index.ts";
import {
  asError,
  Backoff,
  type Clock,
  type Counter,
  type Logger,
  type Metrics,
  onAbort,
  type Rng,
  sleep,
} from "../base/index.ts";
import type { Controller } from "./controller.ts";
import { addAll } from "./key-sources.ts";
import type { ExternalTrigger } from "./trigger.ts";

export interface ExternalSourceOptions {
  /** The controller's name. */
  readonly controller: string;
  /** Names the source in logs, metrics and `/readyz?verbose`; unique within the controller. */
  readonly name: string;
  readonly start: ExternalTrigger["start"];
  readonly priority: number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Adds a key with the priority of the trigger. */
  readonly add: (key: ObjectKey | string, priority: number) => void;
  /** Number of queued keys. */
  readonly waiting: () => number;
}

/** The state of a source that `/readyz?verbose` shows. */
export interface SourceState {
  /** Restarts since the controller started its workers. */
  readonly restarts: number;
  /** Milliseconds until the next start. `undefined` while the source runs, and before its first start. */
  readonly restartInMs: number | undefined;
}

/**
 * Runs one `external` trigger. A source that ends or fails is restarted with backoff, from 1 s to 60 s. A source that
 * ran for two minutes resets the backoff.
 */
export class ExternalSource {
  readonly #options: ExternalSourceOptions;
  readonly #backoff: Backoff;
  readonly #total: Counter<"controller" | "source">;
  #restarts = 0;
  /** Monotonic time of the next restart; `undefined` while the source runs. */
  #restartAtMs: number | undefined;

  constructor(options: ExternalSourceOptions) {
    const { controller, name: source, metrics, clock, rng } = options;
    this.#options = options;
    this.#backoff = new Backoff({ ...delays, clock, rng });
    this.#total = metrics.counter({
      name: "trimtab_source_restarts_total",
      help: "Restarts of external sources that ended or failed.",
      labels: ["controller", "source"],
    });
    this.#total.add({ controller, source }, 0);
  }

  get name(): string {
    return this.#options.name;
  }

  get state(): SourceState {
    const atMs = this.#restartAtMs;
    const restartInMs = atMs === undefined ? undefined : Math.max(0, atMs - this.#options.clock.monotonic());
    return { restarts: this.#restarts, restartInMs };
  }

  /** Adds the source's keys until `signal` aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const failure = await this.#consume(signal);
      if (!signal.aborted) await this.#wait(failure, signal);
    }
  }

  /** Starts the source and adds its keys. Returns its failure, or `undefined` if it ended or `signal` aborted. */
  async #consume(signal: AbortSignal): Promise<Error | undefined> {
    const ended = new AbortController(); // lets a failed source release its resources
    using _stop = onAbort(signal, (reason) => ended.abort(reason));
    try {
      const { add, priority } = this.#options;
      const addKey = (key: ObjectKey | string): void => add(key, priority);
      await addAll(this.#started(ended.signal), { ...this.#options, add: addKey, signal });
      return undefined;
    } catch (error) {
      return signal.aborted ? undefined : asError(error);
    } finally {
      ended.abort(new Error("external source ended"));
    }
  }

  #started(signal: AbortSignal): AsyncIterable<ObjectKey | string> {
    const keys: unknown = this.#options.start(signal);
    if (isAsyncIterable(keys)) return keys;
    throw new TypeError(
      `expected source ${this.name} to return an AsyncIterable of keys, got ${inspect(keys, { depth: 0 })}`,
    );
  }

  async #wait(error: Error | undefined, signal: AbortSignal): Promise<void> {
    const { controller, name: source, log, clock } = this.#options;
    const restartInMs = Math.round(this.#backoff.next());
    this.#restarts += 1;
    this.#restartAtMs = clock.monotonic() + restartInMs;
    this.#total.add({ controller, source });
    if (error) log.error("external source failed", { source, error, restartInMs });
    else log.warn("external source ended", { source, restartInMs });
    await sleep(restartInMs, { clock, signal }).catch(() => {}); // aborted: `run` ends
    this.#restartAtMs = undefined;
  }
}

const delays = { initialMs: 1000, maxMs: 60_000, jitter: 0.2, resetAfterMs: 120_000 };

/**
 * Returns the external sources of a controller. They are named after their functions: `external(messages)` is
 * "messages".
 */
export function externalSources(
  { name: controller, options: { on = [] } }: Controller,
  options: Omit<ExternalSourceOptions, "controller" | "name" | "start" | "priority">,
): ExternalSource[] {
  const names = new Set<string>();
  return on.flatMap((trigger) => {
    if (trigger.type !== "external") return [];
    const { priority = 0 } = trigger;
    const name = uniqueName(trigger.start.name || "external", names);
    return [new ExternalSource({ ...options, controller, name, start: trigger.start, priority })];
  });
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`;
  taken.add(name);
  return name;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<ObjectKey | string> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
