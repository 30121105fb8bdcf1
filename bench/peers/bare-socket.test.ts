import { expect, test } from "vitest";
import { bareSocket, runRounds, stubBench } from "../harness/index.ts";

test("it receives every event of a paced watch, and prints latency and processor time", async () => {
  const bench = stubBench({
    name: "floor",
    summary: "",
    stub: { pods: 3, websites: 0 },
    peers: [bareSocket({ cpuFigure: "paced cpu" })],
    cases: [
      {
        name: "paced",
        size: 3000,
        args: { resource: "pods", "per-second": 20_000 },
        figures: ["p50", "p99", "paced cpu"].map((name) => ({ name, unit: "us", better: "lower" })),
      },
    ],
  });

  const { rows, failed } = await runRounds(bench, { quick: true, progress: () => {} });

  const row = {
    bench: "floor",
    peer: "bare socket",
    value: expect.any(Number),
    min: expect.any(Number),
    max: expect.any(Number),
    better: "lower",
    unit: "us",
  };
  expect({ rows, failed }).toEqual({
    rows: ["p50", "p99", "paced cpu"].map((name) => ({ ...row, figure: `paced: ${name}` })),
    failed: [],
  });
});
