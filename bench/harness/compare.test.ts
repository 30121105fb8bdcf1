import { expect, test } from "vitest";
import { compareFigures } from "./compare.ts";
import { renderComparison } from "./comparison-table.ts";

interface Given {
  readonly unit?: string;
  readonly better?: "higher" | "lower";
  readonly median: number;
}

const figure = ({ unit = "us", better = "lower", median }: Given) => ({
  unit,
  better,
  median,
  min: median - 1,
  max: median + 1,
});

const only = (name: string, given: Given) => ({ get: { [name]: figure(given) } });

test.each([
  { name: "rate", better: "higher", median: 86, verdict: "within" },
  { name: "rate", better: "higher", median: 84, verdict: "broken" },
  { name: "read rate", better: "higher", median: 84, verdict: "broken" },
  { name: "rate", better: "higher", median: 1000, verdict: "within" },
  { name: "cpu", better: "lower", median: 114, verdict: "within" },
  { name: "cpu", better: "lower", median: 116, verdict: "broken" },
  { name: "enqueue cpu", better: "lower", median: 116, verdict: "broken" },
  { name: "p99", better: "lower", median: 199, verdict: "within" },
  { name: "p99", better: "lower", median: 201, verdict: "broken" },
  { name: "p50", better: "lower", median: 201, verdict: "broken" },
  { name: "peak RSS", better: "lower", median: 114, verdict: "within" },
  { name: "peak RSS", better: "lower", median: 116, verdict: "note" },
  { name: "sync", better: "lower", median: 116, verdict: "note" },
  { name: "connections", better: "lower", median: 116, verdict: "note" },
  { name: "stub cpu", better: "lower", median: 500, verdict: "context" },
  { name: "generator", better: "lower", median: 500, verdict: "context" },
] as const)(
  "$name ($better is better) from 100 to $median is $verdict",
  ({ name, better, median, verdict }) => {
    const [found] = compareFigures(only(name, { better, median: 100 }), only(name, { better, median }));
    expect([found?.ratio, found?.verdict]).toEqual([median / 100, verdict]);
  },
);

test("a figure that is 0 before and after has not changed", () => {
  const [found] = compareFigures(only("heap", { median: 0 }), only("heap", { median: 0 }));
  expect([found?.ratio, found?.verdict]).toEqual([1, "within"]);
});

test("cases and figures of only one side are listed", () => {
  const before = { get: { rate: figure({ median: 1 }), cpu: figure({ median: 1 }) } };
  const now = { get: { rate: figure({ median: 1 }) }, list: { rate: figure({ median: 1 }) } };
  expect(compareFigures(before, now).map((each) => [each.case, each.figure, each.verdict])).toEqual([
    ["get", "rate", "within"],
    ["get", "cpu", "unpaired"],
    ["list", "rate", "unpaired"],
  ]);
});

test("a comparison is a table with medians, ranges, ratios and verdicts", () => {
  const rate = (median: number) => figure({ unit: "req/s", better: "higher", median });
  const before = {
    get: { rate: rate(1000), cpu: figure({ median: 100 }), "peak RSS": figure({ unit: "MB", median: 50 }) },
  };
  const now = {
    get: { rate: rate(900), cpu: figure({ median: 120 }), "peak RSS": figure({ unit: "MB", median: 60 }) },
    list: { rate: rate(5) },
  };
  expect(
    renderComparison(compareFigures(before, now)),
  ).toBe(`get              baseline        range  now      range  ratio
  rate req/s ↑      1,000  999 - 1,001  900  899 - 901  0.90x
  cpu us ↓            100     99 - 101  120  119 - 121  1.20x  WORSE: at most 15% is allowed
  peak RSS MB ↓        50      49 - 51   60    59 - 61  1.20x  worse

list            baseline  range  now  range  ratio
  rate req/s ↑         -           5  4 - 6         not in the baseline
`);
});
