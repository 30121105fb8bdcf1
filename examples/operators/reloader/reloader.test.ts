import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { reload, reloader } from "./reloader.ts";

/** Returns a cluster with a Deployment for each way to use the Secret or ConfigMap named config. */
async function running(): Promise<Cluster> {
  const cluster = await startCluster({ clock: new VirtualClock() });
  await cluster.run({ controllers: [reloader] });
  const name = "config";
  const deploy = (app: string, container: object, volume?: object): Promise<Deployment> => {
    const labels = { app };
    const volumes = volume ? [{ name, ...volume }] : [];
    const template = {
      metadata: { labels },
      spec: { volumes, containers: [{ name: app, image: app, ...container }] },
    };
    const annotations = { [reload]: String(app !== "no-reload") };
    return cluster.client.create(Deployment, {
      metadata: { name: app, annotations },
      spec: { selector: { matchLabels: labels }, template },
    });
  };
  await deploy("secret-volume", {}, { secret: { secretName: name } });
  await deploy("secret-env", { env: [{ name: "A", valueFrom: { secretKeyRef: { name, key: "a" } } }] });
  await deploy("map-volume", {}, { configMap: { name } });
  await deploy("map-env", { envFrom: [{ configMapRef: { name } }] });
  await deploy("no-reload", { envFrom: [{ configMapRef: { name } }, { secretRef: { name } }] });
  await cluster.client.create(Secret, { metadata: { name }, stringData: { a: "1" } });
  await cluster.client.create(ConfigMap, { metadata: { name }, data: { a: "1" } });
  await cluster.settled();
  return cluster;
}

/** Returns the names of the Deployments that `change` rolls: a change of the Pod template is a new generation. */
async function rolledBy(cluster: Cluster, change: Promise<unknown>): Promise<string[]> {
  const before = await cluster.client.list(Deployment);
  await change;
  await cluster.settled();
  const after = await cluster.client.list(Deployment);
  return after
    .filter(({ metadata }, at) => metadata.generation !== before[at]?.metadata.generation)
    .map(({ metadata }) => metadata.name);
}

test("a changed Secret or ConfigMap rolls the Deployments that use it and ask for it", async () => {
  await using cluster = await running();
  const { client } = cluster;
  const rolled = {
    secret: await rolledBy(cluster, client.patch(Secret, "config", { merge: { stringData: { a: "2" } } })),
    map: await rolledBy(cluster, client.patch(ConfigMap, "config", { merge: { data: { b: "2" } } })),
    deletedMap: await rolledBy(cluster, client.delete(ConfigMap, "config")),
  };
  expect(rolled).toEqual({
    secret: ["secret-env", "secret-volume"],
    map: ["map-env", "map-volume"],
    deletedMap: ["map-env", "map-volume"],
  });
});

test("a change of labels, and of another ConfigMap, rolls nothing", async () => {
  await using cluster = await running();
  const { client } = cluster;
  const labels = { changed: "yes" };
  const rolled = [
    await rolledBy(cluster, client.patch(Secret, "config", { merge: { metadata: { labels } } })),
    await rolledBy(cluster, client.create(ConfigMap, { metadata: { name: "other" }, data: { a: "1" } })),
  ];
  expect(rolled).toEqual([[], []]);
});
