import { createOrPatch, createOrUpdate } from "trimtab";
import { Deployment, type DeploymentSpec } from "trimtab/api/apps/v1";
import { ConfigMap } from "trimtab/api/core/v1";
import { scenario } from "../scenario.ts";

const labels = { app: "web" };

function spec(replicas: number): DeploymentSpec {
  const containers = [{ name: "main", image: "registry.example/web:1" }];
  return {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
}

scenario(
  "createOrUpdate creates an object, leaves an equal one unchanged, and updates a different one",
  async ({ client, expect }) => {
    const ensure = async (x: string): Promise<unknown> => {
      const { result, object } = await createOrUpdate(client, ConfigMap, {
        key: "a",
        mutate(map) {
          map.data = { ...map.data, x };
        },
      });
      return [result, object.data, object.metadata.resourceVersion];
    };
    const [, , first] = (await ensure("1")) as string[];
    expect(await ensure("1")).toEqual(["unchanged", { x: "1" }, first]);
    expect(await ensure("2")).toEqual(["updated", { x: "2" }, expect.any(String)]);
    expect((await client.get(ConfigMap, "a"))?.data).toEqual({ x: "2" });
  },
);

scenario(
  "fields that the server defaulted are no difference if they are kept",
  async ({ client, expect }) => {
    const ensure = (replicas: number): Promise<{ readonly result: string }> =>
      createOrUpdate(client, Deployment, {
        key: "web",
        mutate(deployment) {
          deployment.spec = deployment.spec ? { ...deployment.spec, replicas } : spec(replicas);
        },
      });
    const results = [await ensure(1), await ensure(1), await ensure(2)].map(({ result }) => result);
    expect(results).toEqual(["created", "unchanged", "updated"]);
  },
);

scenario("createOrPatch patches status and spec separately", async ({ client, expect }) => {
  const ensure = async (replicas: number, ready: number): Promise<unknown> => {
    const { result, object } = await createOrPatch(client, Deployment, {
      key: "web",
      mutate(deployment) {
        deployment.spec = deployment.spec ? { ...deployment.spec, replicas } : spec(replicas);
        deployment.status = { ...deployment.status, replicas: ready };
      },
    });
    return [result, object.metadata.generation, object.spec.replicas, object.status?.replicas];
  };
  expect(await ensure(1, 1)).toEqual(["created", 1, 1, undefined]);
  expect(await ensure(1, 1)).toEqual(["updated", 1, 1, 1]);
  expect(await ensure(2, 1)).toEqual(["updated", 2, 2, 1]);
  expect(await ensure(3, 2)).toEqual(["updated", 3, 3, 2]);
  expect(await ensure(3, 2)).toEqual(["unchanged", 3, 3, 2]);
});

scenario("an object that was recreated meanwhile is not patched", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const patched = createOrPatch(client, ConfigMap, {
    key: "a",
    async mutate(map) {
      await client.delete(ConfigMap, "a");
      await client.create(ConfigMap, { metadata: { name: "a" }, data: { by: "another writer" } });
      map.data = { by: "us" };
    },
  });
  await expect(patched).rejects.toThrow();
  expect((await client.get(ConfigMap, "a"))?.data).toEqual({ by: "another writer" });
});
