import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { changePods, createFirst } from "./change-pods.ts";
import { runByHand } from "./informer-by-hand.ts";

const expected = [
  "OnAdd default/first, in the first list",
  "caches synced, starting the worker",
  "Sync of Pod default/first: no color, Pods on worker-1: 1",
  "OnAdd default/second",
  "Sync of Pod default/second: no color, Pods on worker-1: 2",
  "OnUpdate default/second: no color to green",
  "Sync of Pod default/second: green, Pods on worker-1: 2",
];

/** The Pod first gets a deletionTimestamp and is then removed, so the worker may see it twice. */
const expectedOfDelete = new Set([
  "OnUpdate default/first: no color to no color",
  "OnDelete default/first",
  "Sync of Pod default/first: terminating or deleted",
]);

function expectLines(lines: readonly string[]): void {
  expect(lines.slice(0, expected.length)).toEqual(expected);
  expect(new Set(lines.slice(expected.length))).toEqual(expectedOfDelete);
}

test("Pods are stored, handlers are called, and the worker reads the store", async () => {
  await using cluster = await startCluster();
  await createFirst(cluster.client);
  const ended = new AbortController();
  const lines = new Lines();
  const running = runByHand(cluster.client, { say: lines.say, signal: ended.signal });
  await changePods(cluster.client, lines);
  ended.abort();
  await running;
  expectLines(lines.all);
});

test("the program prints the same on its own server, and exits", async () => {
  expectLines(await outputOf(new URL("./main.ts", import.meta.url)));
});
