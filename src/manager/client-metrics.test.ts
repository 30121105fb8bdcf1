import { expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { type PrometheusMetrics, prometheus } from "../base/index.ts";
import { clientOver } from "../client/index.ts";
import { controller, otherCluster, watches } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";

const watching = controller({ name: "watching", for: ConfigMap, reconcile: async () => {} });

/** Returns the counted GETs by host. */
async function countsIn(registry: PrometheusMetrics): Promise<Record<string, number>> {
  const lines = (await registry.text()).matchAll(
    /^rest_client_requests_total\{code="200",method="GET",host="(.*)"\} (\d+)$/gm,
  );
  return Object.fromEntries(Array.from(lines, ([, host, count]) => [host, Number(count)]));
}

test("the requests of a client that was passed in are counted while the manager runs", async () => {
  await using world = await Managed.start();
  const registry = prometheus();
  const made = await world.run([watching], { registry });
  await made.ready;
  const before = await countsIn(registry);
  expect(before).toEqual({ "in-process": expect.any(Number) });
  await made.client.version();
  const { "in-process": counted = 0 } = before;
  expect(await countsIn(registry)).toEqual({ "in-process": counted + 1 });
  await world.end();
  const after = await countsIn(registry);
  await world.cluster.client.version();
  expect(await countsIn(registry)).toEqual(after);
});

test("a request of a client that has the manager's registry is counted once", async () => {
  await using world = await Managed.start();
  const registry = prometheus();
  const client = clientOver(world.cluster.client.transport, { namespace: "default", metrics: registry });
  const made = await world.run([watching], { registry, client });
  await made.ready;
  const { "in-process": counted = 0 } = await countsIn(registry);
  await made.client.version();
  expect(await countsIn(registry)).toEqual({ "in-process": counted + 1 });
});

test("the requests to other clusters are counted under their hosts", async () => {
  await using world = await Managed.start();
  const registry = prometheus();
  const transport = { ...world.cluster.client.transport, server: "https://remote:6443" };
  const remote = otherCluster({ name: "remote", client: clientOver(transport, { namespace: "default" }) });
  const mirrors = controller({
    name: "mirrors",
    for: ConfigMap,
    on: [watches(Secret, () => [], { cluster: remote })],
    reconcile: async () => {},
  });
  const made = await world.run([mirrors], { registry });
  await made.ready;
  expect(Object.keys(await countsIn(registry)).sort()).toEqual(["in-process", "remote:6443"]);
});
