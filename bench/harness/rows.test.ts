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

test("a row has the median over rounds, and the ratio of ours to it", () => {
  const rates = [300, 100, 200].map((rate) => ({ peer: "ours", case: "get", reading: { rate, cpu: 10 } }));
  const rows = toRows(bench, [...rates, { peer: "theirs", case: "get", reading: { rate: 50, cpu: 40 } }]);

  expect(rows).toEqual([
    { bench: "reads", peer: "ours", figure: "get: rate", value: 200, unit: "req/s", ratio: 1 },
    { bench: "reads", peer: "theirs", figure: "get: rate", value: 50, unit: "req/s", ratio: 4 },
    { bench: "reads", peer: "ours", figure: "get: cpu", value: 10, unit: "us", ratio: 1 },
    { bench: "reads", peer: "theirs", figure: "get: cpu", value: 40, unit: "us", ratio: 0.25 },
  ]);
});

test("without a figure of ours there is no ratio", () => {
  const rows = toRows(bench, [{ peer: "theirs", case: "get", reading: { rate: 50 } }]);

  expect(rows).toEqual([{ bench: "reads", peer: "theirs", figure: "get: rate", value: 50, unit: "req/s" }]);
});
