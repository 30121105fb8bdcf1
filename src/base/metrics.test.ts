import { expect, test } from "vitest";
import { noMetrics } from "./metrics.ts";

test("noMetrics discards all measurements", () => {
  const definition = { name: "n", help: "h", labels: ["queue"] } as const;
  const labels = { queue: "q" };
  expect([
    noMetrics.counter(definition).add(labels),
    noMetrics.gauge(definition).set(labels, 1),
    noMetrics.gauge(definition).remove(labels),
    noMetrics.histogram(definition).observe(labels, 1),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});
