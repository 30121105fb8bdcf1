import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { watchPodsAndServices } from "./pods-and-services.ts";
import { someChanges } from "./some-changes.ts";

/** Of one kind: the two informers are told apart from each other, each in its order. */
const linesOf = (kind: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(kind));

test("what happens to Pods and to Services is told, to each in its order", async () => {
  await using cluster = await startCluster();
  const ended = new AbortController();
  const lines = new Lines();
  const watching = watchPodsAndServices(cluster.client, { say: lines.say, signal: ended.signal });
  await lines.told("caches are filled");
  await someChanges(cluster.client);
  await Promise.all([lines.told("Pod deleted: default/web"), lines.told("Service deleted: default/shop")]);
  ended.abort();
  await watching;
  expect(linesOf("Pod", lines.all)).toEqual([
    "Pod added: default/web",
    "Pod updated: default/web",
    "Pod updated: default/web", // it has been told to go
    "Pod deleted: default/web",
  ]);
  expect(linesOf("Service", lines.all)).toEqual([
    "Service added: default/kubernetes",
    "Service added: default/shop",
    "Service updated: default/shop",
    "Service deleted: default/shop",
  ]);
});

test("the program shows the same on a server of its own, and ends", async () => {
  const printed = await outputOf(new URL("./main.ts", import.meta.url));
  expect(printed.toSorted()).toEqual([
    "Pod added: default/web",
    "Pod deleted: default/web",
    "Pod updated: default/web",
    "Pod updated: default/web",
    "Service added: default/kubernetes",
    "Service added: default/shop",
    "Service deleted: default/shop",
    "Service updated: default/shop",
    "caches are filled",
  ]);
});
