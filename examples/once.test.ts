import { Deployment } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Foo } from "./foo/foo.ts";
import { outputOf } from "./output-of.ts";

const containers = [{ name: "web", image: "nginx:1.29" }];

test.each([
  ["pod-informer", "New pod Added to Store: web"],
  ["pods-and-services", "Pod added: default/web"],
  ["queue-worker", "Sync of Pod default/web"],
  ["informer-by-hand", "Sync of Pod default/web: no color, Pods on no node: 0"],
])("%s handles existing objects and exits, with --once and --kubeconfig", async (name, line) => {
  await using cluster = await startCluster({ listen: true });
  await cluster.client.create(Pod, { metadata: { name: "web" }, spec: { containers } });
  const main = new URL(`./${name}/main.ts`, import.meta.url);
  expect(await outputOf(main, "--once", "--kubeconfig", cluster.kubeconfig)).toContain(line);
});

test("sample-controller handles existing objects and exits, with --once and --kubeconfig", async () => {
  await using cluster = await startCluster({ listen: true, kinds: [Foo] });
  const { client, kubeconfig } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const main = new URL("./sample-controller/main.ts", import.meta.url);
  const printed = await outputOf(main, "--once", "--kubeconfig", kubeconfig);
  expect([(await client.get(Deployment, "web"))?.spec.replicas, printed.at(-1)]).toEqual([
    2,
    "controller: workers stopped",
  ]);
});
