import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { changeObjects } from "./change-objects.ts";
import { watchPodsAndServices } from "./pods-and-services.ts";

/** Returns the lines of one kind. The order is defined per informer only. */
const linesOf = (kind: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(kind));

test("changes of Pods and of Services are printed in order per kind", async () => {
  await using cluster = await startCluster();
  const ended = new AbortController();
  const lines = new Lines();
  const watching = watchPodsAndServices(cluster.client, { say: lines.say, signal: ended.signal });
  await lines.printed("caches synced");
  await changeObjects(cluster.client);
  await Promise.all([
    lines.printed("Pod deleted: default/web"),
    lines.printed("Service deleted: default/shop"),
  ]);
  ended.abort();
  await watching;
  expect(linesOf("Pod", lines.all)).toEqual([
    "Pod added: default/web",
    "Pod updated: default/web",
    "Pod updated: default/web", // it got a deletionTimestamp
    "Pod deleted: default/web",
  ]);
  expect(linesOf("Service", lines.all)).toEqual([
    "Service added: default/kubernetes",
    "Service added: default/shop",
    "Service updated: default/shop",
    "Service deleted: default/shop",
  ]);
});

test("the program prints the same on its own server, and exits", async () => {
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
    "caches synced",
  ]);
});
