import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { watchPods } from "./pod-informer.ts";
import { aChange, somePods } from "./some-pods.ts";

const expected = [
  "New pod Added to Store: nginx",
  "This pod is a good pod",
  "New pod Added to Store: nodelocaldns",
  "New pod Added to Store: rook-ceph",
  "It has the label",
  "nginx",
  "This pod is a good pod",
];

test("Pods are told as they are found and changed, with their label and their annotation", async () => {
  await using cluster = await startCluster();
  await somePods(cluster.client);
  const ended = new AbortController();
  const lines = new Lines();
  const watching = watchPods(cluster.client, { say: lines.say, signal: ended.signal });
  await lines.told("It has the label");
  await aChange(cluster.client);
  await lines.told("nginx");
  ended.abort();
  await watching;
  expect(lines.all).toEqual(expected);
});

test("the program shows the same on a server of its own, and ends", async () => {
  expect(await outputOf(new URL("./main.ts", import.meta.url))).toEqual(expected);
});
