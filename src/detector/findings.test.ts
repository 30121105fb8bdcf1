import { expect, test } from "vitest";
import { loggerTo, noMetrics } from "../base/index.ts";
import { type Finding, Findings } from "./findings.ts";

function finding(about: string): Finding {
  return { cause: "loop", about, message: "loop found", advice: "stop", fields: { key: about } };
}

test("each finding is logged once, and at most a hundred of them", () => {
  const logged: unknown[] = [];
  const findings = new Findings(
    "test",
    loggerTo(({ fields }) => logged.push(fields.key)),
    noMetrics,
  );
  for (const about of ["a", "a", "b", "a"]) findings.report(finding(about));
  expect(logged).toEqual(["a", "b"]);
  for (let about = 0; about < 200; about += 1) findings.report(finding(`${about}`));
  expect(logged.length).toBe(100);
});
