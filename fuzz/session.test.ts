import { expect, test } from "vitest";
import { below, settled, VirtualClock } from "../src/base/index.ts";
import { ProgressLine } from "./progress-line.ts";
import { renderReport } from "./report.ts";
import { type Progress, runSession, stuckMs } from "./session.ts";
import type { FuzzTarget } from "./target.ts";

/** A target whose rounds take virtual time and draw one number. */
function targetOf(
  name: string,
  options: { clock: VirtualClock; takesMs: number; drawn?: number[] },
): FuzzTarget {
  const { clock, takesMs, drawn = [] } = options;
  return {
    name,
    summary: "",
    async run(rng) {
      drawn.push(below(rng, 1000));
      await clock.advance(takesMs);
      return { cases: 10 };
    },
  };
}

test("targets share the time, for rounds of any duration", async () => {
  const clock = new VirtualClock();
  const targets = [targetOf("slow", { clock, takesMs: 4000 }), targetOf("quick", { clock, takesMs: 1000 })];
  const results = await runSession({ targets, seed: 1, budgetMs: 24_000, clock });
  expect(results.map(({ target, rounds, counts }) => [target, rounds, counts])).toEqual([
    ["slow", 3, { cases: 30 }],
    ["quick", 12, { cases: 120 }],
  ]);
});

test("the rounds of a target take one seed after the other, and a seed repeats its round", async () => {
  const clock = new VirtualClock();
  const [drawn, repeated]: [number[], number[]] = [[], []];
  const target = (into: number[]): FuzzTarget => targetOf("a", { clock, takesMs: 1000, drawn: into });
  await runSession({ targets: [target(drawn)], seed: 7, budgetMs: 3000, clock });
  await runSession({ targets: [target(repeated)], seed: 9, budgetMs: 0, clock });
  expect(repeated).toEqual([drawn[2]]);
});

test("without time every target runs one round, without a limit", async () => {
  const clock = new VirtualClock();
  const spent: boolean[] = [];
  const target: FuzzTarget = {
    name: "a",
    summary: "",
    async run(_, budget) {
      await clock.advance(60_000);
      spent.push(budget.spent);
      return {};
    },
  };
  await runSession({ targets: [target], seed: 1, budgetMs: 0, clock });
  expect(spent).toEqual([false]);
});

test("a failed target is not run again, and the report has the command that repeats the round", async () => {
  const clock = new VirtualClock();
  let rounds = 0;
  const failing: FuzzTarget = {
    name: "failing",
    summary: "",
    async run() {
      rounds += 1;
      await clock.advance(1000);
      if (rounds === 3) throw new Error("expected 1, got 2");
      return { cases: 1 };
    },
  };
  const targets = [failing, targetOf("good", { clock, takesMs: 1000 })];
  const results = await runSession({ targets, seed: 5, budgetMs: 10_000, clock });
  const report = renderReport(results);
  expect(report.split("\n").slice(0, 5)).toEqual([
    "failing            FAILED  3 rounds, 2 cases",
    "good               passed  7 rounds, 70 cases",
    "",
    "failing failed with seed 7. Repeat it: npm run fuzz -- --only failing --seed 7 --minutes 0",
    "Error: expected 1, got 2",
  ]);
});

test("a round that does not end is a failure", async () => {
  const clock = new VirtualClock();
  const stuck: FuzzTarget = { name: "stuck", summary: "", run: () => new Promise(() => {}) };
  const session = runSession({ targets: [stuck], seed: 1, budgetMs: 0, clock });
  await settled();
  await clock.advance(stuckMs);
  const [result] = await session;
  expect(result?.failure?.error.message).toBe("expected an end of a round within 300000 ms, got none");
});

const progress: Progress = {
  running: { target: "cache", seed: 12 },
  elapsedMs: 90_000,
  results: [{ target: "cache", rounds: 11, counts: {} }],
};

test("a terminal shows one line that changes, a file one line a minute", () => {
  const written = (isTTY: boolean): string => {
    let text = "";
    const line = new ProgressLine({ isTTY, write: (more) => (text += more) }, 30);
    line.show(progress);
    line.show({ ...progress, elapsedMs: 100_000 });
    line.show({ ...progress, elapsedMs: 120_000 });
    line.end();
    return text;
  };
  const rest = "min, 11 rounds, cache seed 12, no failure";
  expect(written(false)).toBe(`1.5 of 30 ${rest}\n2.0 of 30 ${rest}\n`);
  expect(written(true)).toBe(
    ["1.5", "1.7", "2.0"]
      .map((minutes) => `\r\x1b[2K${minutes} of 30 ${rest}`)
      .join("")
      .concat("\r\x1b[2K"),
  );
});
