import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { changePod, createPods } from "./create-pods.ts";
import { watchPods } from "./pod-informer.ts";

const expected = [
  "New pod Added to Store: nginx",
  "This pod is a good pod",
  "New pod Added to Store: nodelocaldns",
  "New pod Added to Store: rook-ceph",
  "It has the label",
  "nginx",
  "This pod is a good pod",
];

test("Pods are printed as they are found and changed, with their label and annotation", async () => {
  await using cluster = await startCluster();
  await createPods(cluster.client);
  const ended = new AbortController();
  const lines = new Lines();
  const watching = watchPods(cluster.client, { say: lines.say, signal: ended.signal });
  await lines.printed("It has the label");
  await changePod(cluster.client);
  await lines.printed("nginx");
  ended.abort();
  await watching;
  expect(lines.all).toEqual(expected);
});

test("the program prints the same on its own server, and exits", async () => {
  expect(await outputOf(new URL("./main.ts", import.meta.url))).toEqual(expected);
});
