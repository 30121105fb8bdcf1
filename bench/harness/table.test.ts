import { expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { toRows } from "./rows.ts";
import { renderOutcome } from "./table.ts";

const peer = (name: string, ours = false) => ({ name, ours, prepare: async () => ({ command: [] }) });

const bench: Bench = {
  name: "reads",
  summary: "",
  peers: [peer("ours", true), peer("theirs"), peer("go")],
  cases: [
    { name: "get", figures: [{ name: "rate", unit: "req/s", better: "higher" }] },
    {
      name: "watch",
      figures: [
        { name: "rate", unit: "events/s", better: "higher" },
        { name: "connections", unit: "", better: "lower" },
      ],
    },
  ],
  targets: [
    { peers: ["theirs"], figure: "rate", atLeast: 3 },
    { peers: ["ours"], figure: "connections", absolute: true, atMost: 1 },
  ],
  open: () => Promise.reject(new Error("not opened")),
};

test("a report has a table for each case, then notes, skipped and failed peers, and targets", () => {
  const rows = toRows(bench, [
    { peer: "ours", case: "get", reading: { rate: 12_345.6 } },
    { peer: "theirs", case: "get", reading: { rate: 3000 } },
    { peer: "ours", case: "watch", reading: { rate: 50.04, connections: 1 } },
    { peer: "theirs", case: "watch", reading: { rate: 25.02 } },
  ]);
  const outcome = {
    rows,
    skipped: [{ peer: "go", reason: "go is not installed" }],
    failed: [{ peer: "theirs", case: "watch", reason: "it fell over" }],
    notes: ["the moon was full"],
  };

  expect(renderOutcome(bench, outcome)).toBe(`get       rate req/s ↑
  ours          12,346
  theirs         3,000  4.12x

watch     rate events/s ↑         connections ↓
  ours                 50                     1
  theirs               25  2.00x              -

the moon was full

skipped  go: go is not installed
failed   watch, theirs: it fell over

target   get: rate: 4.12x of theirs, wanted at least 3x
MISSED   watch: rate: 2x of theirs, wanted at least 3x
target   watch: connections: 1, wanted at most 1
`);
});
