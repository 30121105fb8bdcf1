import { kind } from "trimtab/api";
import { ConfigMap, Namespace } from "trimtab/api/core/v1";
import { masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

scenario("a get returns the stored object", async ({ client, namespace, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "value" } });
  const read = await client.get(ConfigMap, "a");
  expect(read).toEqual(created);
  expect(masked(read)).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      namespace,
      uid: "<uid>",
      resourceVersion: "<version>",
      creationTimestamp: "<time>",
    },
    data: { key: "value" },
  });
});

scenario("a get of an absent object returns undefined", async ({ client, cluster, expect }) => {
  expect(await client.get(ConfigMap, "none")).toBeUndefined();
  expect(await cluster.client.get(Namespace, "none")).toBeUndefined();
});

scenario("a get in a missing namespace returns undefined", async ({ cluster, expect }) => {
  expect(await cluster.client.get(ConfigMap, "none/none")).toBeUndefined();
});

scenario("a get with the resourceVersion of a write returns it", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { resourceVersion } = created.metadata;
  expect(await client.get(ConfigMap, "a", { resourceVersion })).toEqual(created);
});

scenario("a get with resourceVersion 0 finds an older object", async ({ cluster, expect }) => {
  const found = await cluster.client.get(Namespace, "default", { resourceVersion: "0" });
  expect(found).toEqual(await cluster.client.get(Namespace, "default"));
});

scenario("a get with a resourceVersion that is not a number is an error", async ({ client, expect }) => {
  const broken = client.get(ConfigMap, "a", { resourceVersion: "new" });
  expect(await refusal(broken)).toEqual({
    code: 500,
    reason: "InternalError",
    message: 'resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax',
  });
});

scenario("a get of a kind that is not served is an error", async ({ client, expect }) => {
  const nothings = kind({
    group: "nothing.example.dev",
    version: "v1",
    kind: "Nothing",
    plural: "nothings",
    namespaced: true,
  });
  expect(await refusal(client.get(nothings, "a"))).toEqual({
    code: 404,
    reason: "NotFound",
    message: '"404 page not found"',
  });
});

scenario("a get of a resource that a known group does not have is an error", async ({ client, expect }) => {
  const nothings = kind({ version: "v1", kind: "Nothing", plural: "nothings", namespaced: true });
  expect(await refusal(client.get(nothings, "a"))).toEqual({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
});
