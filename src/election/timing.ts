import { ConfigError } from "../client/index.ts";

/** Timing of the election. The defaults are those of Kubernetes' own components. */
export interface ElectionTiming {
  /**
   * How long standbys wait after the last renewal that they observed. Whole seconds, since the Lease has no smaller
   * unit. @default 15_000
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after it sent its last successful renewal. The rest of the lease is time for sent writes to
   * arrive. @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /** Time between two renewals. Standbys retry after 1 to 2.2 times this. @default 2_000 */
  readonly retryPeriodMs?: number | undefined;
}

/** Complete and valid timing. */
export type CheckedTiming = Readonly<Record<keyof ElectionTiming, number>>;

/** Maximum additional delay of an attempt, as a share of the retry period. */
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
  return rules.filter(([valid]) => !valid).map(([, problem]) => problem);
}
