import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { silentLogger } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { informers } from "./index.ts";

test("a handler is told of what is there, and of what changes", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  await client.create(ConfigMap, { metadata: { name: "there" } });
  await using factory = informers({ client, log: silentLogger });
  const maps = factory.for(ConfigMap);
  const told: string[] = [];
  let wake = () => {};
  maps.on((event) => {
    told.push(`${event.type} ${event.key}`);
    wake();
  });
  const ended = new AbortController();
  factory.start({ signal: ended.signal });
  await factory.synced;
  expect(maps.lister.get("default/there")?.metadata.name).toBe("there");
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  let came = next();
  await client.create(ConfigMap, { metadata: { name: "new" } });
  await came;
  came = next();
  await client.delete(ConfigMap, "new");
  await came;
  expect(told).toEqual(["added default/there", "added default/new", "deleted default/new"]);
});
