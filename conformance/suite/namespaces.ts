import { ConfigMap, Namespace } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { scenario } from "../scenario.ts";

scenario("a client with a namespace uses it by default", async ({ namespace, cluster, expect }) => {
  await using client = await connect({ kubeconfig: cluster.kubeconfig, namespace });
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(metadata.namespace).toBe(namespace);
  expect((await client.get(ConfigMap, `${namespace}/a`))?.metadata.uid).toBe(metadata.uid);
  expect(await client.get(ConfigMap, "default/a")).toBeUndefined();
});

scenario(
  "a client restricted to a namespace sees no other",
  async ({ client, namespace, cluster, expect }) => {
    const other = `${namespace}-other`;
    await cluster.client.create(Namespace, { metadata: { name: other } });
    try {
      await cluster.client.create(ConfigMap, { metadata: { name: "theirs", namespace: other } });
      await client.create(ConfigMap, { metadata: { name: "ours" } });
      expect((await client.list(ConfigMap)).map(({ metadata }) => metadata.name)).toEqual(["ours"]);
      expect(await client.get(ConfigMap, "theirs")).toBeUndefined();
      await client.deleteAll(ConfigMap, {});
      expect(await cluster.client.get(ConfigMap, `${other}/theirs`)).toBeDefined();
    } finally {
      await cluster.client.delete(Namespace, other);
    }
  },
);

scenario("a client restricted to a namespace refuses every other", async ({ client, namespace, expect }) => {
  const theirs = { name: "a", namespace: "default" };
  const outside = `in namespace ${namespace}, which this client is restricted to, got default`;
  await expect(client.get(ConfigMap, theirs)).rejects.toThrow(outside);
  await expect(client.create(ConfigMap, { metadata: theirs })).rejects.toThrow(outside);
  await expect(client.list(ConfigMap, { namespace: "default" })).rejects.toThrow(outside);
});

scenario(
  "a client restricted to a namespace reaches cluster-scoped objects",
  async ({ client, namespace, expect }) => {
    expect((await client.get(Namespace, namespace))?.metadata.name).toBe(namespace);
  },
);
