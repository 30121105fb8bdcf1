import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { workOnPods } from "./queue-worker.ts";
import { someWork } from "./some-work.ts";

const expected = [
  "caches are filled, workers start",
  "Sync of Pod default/good",
  ...Array.from({ length: 6 }, () => "error syncing default/bad: it is broken"),
  "giving default/bad up",
  "Sync of Pod default/bad",
  // Perhaps once more: it is told to go, and then gone.
  "Pod default/good is going or gone",
];

test("a Pod is looked at when it changes, five times more if that fails, and when it is gone", async () => {
  await using cluster = await startCluster();
  const ended = new AbortController();
  const lines = new Lines();
  const working = workOnPods(cluster.client, { say: lines.say, signal: ended.signal, workers: 2 });
  await someWork(cluster.client, lines);
  ended.abort();
  await working;
  expect(lines.all.slice(0, expected.length)).toEqual(expected);
});

test("the program shows the same on a server of its own, and ends", async () => {
  const printed = await outputOf(new URL("./main.ts", import.meta.url));
  expect(printed.slice(0, expected.length)).toEqual(expected);
});
