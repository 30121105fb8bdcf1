import { ConfigError } from "../client/index.ts";

/** How long things may take. The defaults are those of Kubernetes' own components. */
export interface ElectionTiming {
  /** How long others wait after the last renewal they saw. Whole seconds: the Lease has no smaller unit. @default 15_000 */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after it last sent a renewal that was accepted. What is left of the lease then is for what it
   * has sent to arrive. @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /** Between two renewals; those who wait for the lease try after up to 2.2 times that. @default 2_000 */
  readonly retryPeriodMs?: number | undefined;
}

/** Timing with nothing left out, and nothing in it that cannot work. */
export type CheckedTiming = Readonly<Record<keyof ElectionTiming, number>>;

/** How much longer than the retry period an attempt may be put off, as a share of it. */
export const jitter = 1.2;

export function checkedTiming(timing: ElectionTiming): CheckedTiming {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = timing;
  const problems = problemsOf({ leaseDurationMs, renewDeadlineMs, retryPeriodMs });
  if (problems.length > 0) throw new ConfigError(problems);
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

function problemsOf({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: CheckedTiming): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [
      leaseDurationMs > 0 && leaseDurationMs % 1000 === 0,
      `expected leaseDurationMs to be whole seconds, got ${leaseDurationMs}`,
    ],
    [
      leaseDurationMs > renewDeadlineMs,
      `expected leaseDurationMs to be more than renewDeadlineMs, got ${leaseDurationMs} and ${renewDeadlineMs}`,
    ],
    [
      renewDeadlineMs > jitter * retryPeriodMs,
      `expected renewDeadlineMs to be more than ${jitter} times retryPeriodMs, got ${renewDeadlineMs} and ${retryPeriodMs}`,
    ],
    [retryPeriodMs >= 1, `expected retryPeriodMs to be at least 1, got ${retryPeriodMs}`],
  ];
  return rules.filter(([kept]) => !kept).map(([, problem]) => problem);
}
