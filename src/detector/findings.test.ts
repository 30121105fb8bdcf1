import { expect, test } from "vitest";
import { loggerTo, noMetrics } from "../base/index.ts";
import { type Finding, Findings } from "./findings.ts";

function finding(about: string): Finding {
  return { cause: "loop", about, message: "round and round", advice: "stop", fields: { key: about } };
}

test("each finding is told once, and no more than a hundred of them", () => {
  const told: unknown[] = [];
  const findings = new Findings(
    "test",
    loggerTo(({ fields }) => told.push(fields.key)),
    noMetrics,
  );
  for (const about of ["a", "a", "b", "a"]) findings.report(finding(about));
  expect(told).toEqual(["a", "b"]);
  for (let about = 0; about < 200; about += 1) findings.report(finding(`${about}`));
  expect(told.length).toBe(100);
});
