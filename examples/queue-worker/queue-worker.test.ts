import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { createWork } from "./create-work.ts";
import { processPods } from "./queue-worker.ts";

const expected = [
  "caches synced, starting workers",
  "Sync of Pod default/good",
  ...Array.from({ length: 6 }, () => "error syncing default/bad: Pod is broken"),
  "giving up on default/bad",
  "Sync of Pod default/bad",
  // The line may repeat: the Pod first gets a deletionTimestamp and is then removed.
  "Pod default/good is terminating or deleted",
];

test("a Pod is processed when it changes and when it is deleted, with up to five retries", async () => {
  await using cluster = await startCluster();
  const ended = new AbortController();
  const lines = new Lines();
  const working = processPods(cluster.client, { say: lines.say, signal: ended.signal, workers: 2 });
  await createWork(cluster.client, lines);
  ended.abort();
  await working;
  expect(lines.all.slice(0, expected.length)).toEqual(expected);
});

test("the program prints the same on its own server, and exits", async () => {
  const printed = await outputOf(new URL("./main.ts", import.meta.url));
  expect(printed.slice(0, expected.length)).toEqual(expected);
});
