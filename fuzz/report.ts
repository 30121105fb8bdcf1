import { inspect } from "node:util";
import { reproduction, type TargetResult } from "./session.ts";

/** Formats the end of a session: a line for each target, then every failure with the command that repeats it. */
export function renderReport(results: readonly TargetResult[]): string {
  const lines = results.map(({ target, rounds, counts, failure }) => {
    const tried = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    const outcome = failure ? "FAILED" : "passed";
    return `${target.padEnd(18)} ${outcome}  ${[`${rounds} rounds`, ...tried].join(", ")}`;
  });
  const failures = results.flatMap((result) =>
    result.failure
      ? [
          "",
          `${result.target} failed with seed ${result.failure.seed}. Repeat it: ${reproduction(result)}`,
          inspect(result.failure.error),
        ]
      : [],
  );
  return `${[...lines, ...failures].join("\n")}\n`;
}
