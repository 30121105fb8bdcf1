import { asError, type Clock, deadline, seededRng, unlessAborted } from "../src/base/index.ts";
import { type Budget, type Counts, type FuzzTarget, Tally } from "./target.ts";

export interface SessionOptions {
  readonly targets: readonly FuzzTarget[];
  /** Seed of the first round of every target. Each later round takes the next number. */
  readonly seed: number;
  /** Time for all rounds together. With 0, every target runs one round to its end. */
  readonly budgetMs: number;
  readonly clock: Clock;
  /** Called before and after every round. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  /** The round that runs now. `undefined` after a round. */
  readonly running?: { readonly target: string; readonly seed: number } | undefined;
  readonly elapsedMs: number;
  readonly results: readonly TargetResult[];
}

/** The result of one target. */
export interface TargetResult {
  readonly target: string;
  readonly rounds: number;
  readonly counts: Counts;
  readonly failure?: Failure | undefined;
}

export interface Failure {
  readonly seed: number;
  readonly error: Error;
}

/** A round of a target with a time budget stops after this time, so that all targets get their turn. */
const roundMs = 10_000;
/** A round that has not ended after this time is a failure. */
export const stuckMs = 300_000;

/**
 * Runs rounds of all targets until the budget is spent. The target that has had the least time is next. A target that
 * fails is not run again; the others continue.
 */
export async function runSession(options: SessionOptions): Promise<readonly TargetResult[]> {
  const { clock, seed, budgetMs, onProgress } = options;
  const startMs = clock.monotonic();
  const elapsedMs = (): number => clock.monotonic() - startMs;
  const runs = options.targets.map((target) => new TargetRun(target));
  const progress = (running?: Progress["running"]): void =>
    onProgress?.({ running, elapsedMs: elapsedMs(), results: runs.map(({ result }) => result) });
  for (let next = nextRun(runs); next; next = nextRun(runs)) {
    const started = next.rounds > 0;
    if (started && elapsedMs() >= budgetMs) break;
    if (budgetMs === 0 && started) break;
    const roundSeed = seed + next.rounds;
    progress({ target: next.name, seed: roundSeed });
    await next.run(roundSeed, { clock, budgetMs: budgetMs === 0 ? undefined : roundMs });
    progress();
  }
  return runs.map(({ result }) => result);
}

/** The command that repeats a failed round. */
export function reproduction({ target, failure }: TargetResult): string {
  return `npm run fuzz -- --only ${target} --seed ${failure?.seed} --minutes 0`;
}

/** Every target runs once before any runs twice. */
function nextRun(runs: readonly TargetRun[]): TargetRun | undefined {
  const ready = runs.filter(({ result }) => result.failure === undefined);
  return ready.toSorted(
    (one, other) => Number(one.rounds > 0) - Number(other.rounds > 0) || one.spentMs - other.spentMs,
  )[0];
}

class TargetRun {
  readonly #target: FuzzTarget;
  readonly #tally = new Tally();
  rounds = 0;
  spentMs = 0;
  #failure: Failure | undefined;

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  get name(): string {
    return this.#target.name;
  }

  get result(): TargetResult {
    const { rounds } = this;
    return { target: this.name, rounds, counts: this.#tally.counts, failure: this.#failure };
  }

  async run(seed: number, { clock, budgetMs }: RoundOptions): Promise<void> {
    const startMs = clock.monotonic();
    this.rounds += 1;
    const budget: Budget = {
      get spent() {
        return budgetMs !== undefined && clock.monotonic() - startMs >= budgetMs;
      },
    };
    try {
      const round = this.#target.run(seededRng(seed), budget);
      this.#tally.addAll(await orStuck(round, clock));
    } catch (error) {
      this.#failure = { seed, error: asError(error) };
    } finally {
      this.spentMs += clock.monotonic() - startMs;
    }
  }
}

interface RoundOptions {
  readonly clock: Clock;
  /** @default no limit */
  readonly budgetMs: number | undefined;
}

async function orStuck<T>(round: Promise<T>, clock: Clock): Promise<T> {
  using limit = deadline(stuckMs, "a round", { clock });
  return await unlessAborted(round, limit.signal);
}
