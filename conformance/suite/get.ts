import { kind } from "trimtab/api";
import { ConfigMap, Namespace } from "trimtab/api/core/v1";
import { masked } from "../masked.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

scenario("an object is read as it was stored", async ({ client, namespace, expect }) => {
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

scenario("an object that is not there is undefined", async ({ client, cluster, expect }) => {
  expect(await client.get(ConfigMap, "none")).toBeUndefined();
  expect(await cluster.client.get(Namespace, "none")).toBeUndefined();
});

scenario("an object of a namespace that is not there is undefined", async ({ cluster, expect }) => {
  expect(await cluster.client.get(ConfigMap, "none/none")).toBeUndefined();
});

scenario("a get at least as new as a write shows it", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { resourceVersion } = created.metadata;
  expect(await client.get(ConfigMap, "a", { resourceVersion })).toEqual(created);
});

scenario("a get at any version finds what has been there long enough", async ({ cluster, expect }) => {
  const found = await cluster.client.get(Namespace, "default", { resourceVersion: "0" });
  expect(found).toEqual(await cluster.client.get(Namespace, "default"));
});

scenario("a get at a version that is no number is an error", async ({ client, expect }) => {
  const broken = client.get(ConfigMap, "a", { resourceVersion: "new" });
  expect(await refusal(broken)).toEqual({
    code: 500,
    reason: "InternalError",
    message: 'resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax',
  });
});

scenario("a kind that is not served is an error, not absence", async ({ client, expect }) => {
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

scenario(
  "a resource that a known group does not have is an error, not absence",
  async ({ client, expect }) => {
    const nothings = kind({ version: "v1", kind: "Nothing", plural: "nothings", namespaced: true });
    expect(await refusal(client.get(nothings, "a"))).toEqual({
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: {},
    });
  },
);
