import { expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { median, toRows } from "./rows.ts";

test("the median is the middle value, or the mean of the two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 100])).toBe(3.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

const peer = (name: string, ours = false) => ({ name, ours, prepare: async () => ({ command: [] }) });

const bench: Bench = {
  name: "reads",
  summary: "",
  peers: [peer("ours", true), peer("theirs"), peer("absent")],
  cases: [
    {
      name: "get",
      figures: [
        { name: "rate", unit: "req/s", better: "higher" },
        { name: "cpu", unit: "us", better: "lower" },
      ],
    },
  ],
  open: () => Promise.reject(new Error("not opened")),
};

test("a row has the median, minimum and maximum of all rounds, and the ratio of ours to it", () => {
  const rates = [300, 100, 200].map((rate) => ({ peer: "ours", case: "get", reading: { rate, cpu: 10 } }));
  const rows = toRows(bench, [...rates, { peer: "theirs", case: "get", reading: { rate: 50, cpu: 40 } }]);

  const row = { bench: "reads", min: 50, max: 50 };
  const rate = { ...row, figure: "get: rate", unit: "req/s", better: "higher" };
  const cpu = { ...row, figure: "get: cpu", unit: "us", better: "lower" };
  expect(rows).toEqual([
    { ...rate, peer: "ours", value: 200, min: 100, max: 300, ratio: 1 },
    { ...rate, peer: "theirs", value: 50, ratio: 4 },
    { ...cpu, peer: "ours", value: 10, min: 10, max: 10, ratio: 1 },
    { ...cpu, peer: "theirs", value: 40, min: 40, max: 40, ratio: 0.25 },
  ]);
});

test("without a figure of ours there is no ratio", () => {
  const rows = toRows(bench, [{ peer: "theirs", case: "get", reading: { rate: 50 } }]);

  const range = { value: 50, min: 50, max: 50 };
  expect(rows).toEqual([
    { bench: "reads", peer: "theirs", figure: "get: rate", ...range, unit: "req/s", better: "higher" },
  ]);
});
