/**
 * Compares the garbage collector and the namespace controller with those of the real kube-controller-manager, on a real
 * kube-apiserver. Skipped until `npm run kube` has built the programs.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OwnerReference } from "../../api/index.ts";
import { ConfigMap, Namespace } from "../../api/types/core/v1.ts";
import type { Client } from "../../client/index.ts";
import { type Cluster, kubeCacheFolder, startCluster } from "../../testing/index.ts";

const program = join(kubeCacheFolder(process.env), "kube-controller-manager");

async function withKubeControllers(run: (cluster: Cluster) => Promise<unknown>): Promise<unknown> {
  await using cluster = await startCluster({ engine: "binaries" });
  const flags = ["--controllers=garbage-collector-controller,namespace-controller", "--leader-elect=false"];
  const credentials = [`--kubeconfig=${cluster.kubeconfig}`, "--secure-port=0"];
  const child: ChildProcess = spawn(program, [...flags, ...credentials], { stdio: "ignore" });
  try {
    return await run(cluster);
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

async function withOurs(run: (cluster: Cluster) => Promise<unknown>): Promise<unknown> {
  await using cluster = await startCluster({ engine: "binaries", workloads: ["gc", "namespaces"] });
  return await run(cluster);
}

async function createMap(
  client: Client,
  name: string,
  metadata: Partial<ConfigMap["metadata"]> = {},
): Promise<OwnerReference> {
  const { metadata: created } = await client.create(ConfigMap, { metadata: { ...metadata, name } });
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: created.uid, blockOwnerDeletion: true };
}

/** Deletes an owner in each way: of a dependent that a finalizer holds, and of one with another owner. */
async function deletions(cluster: Cluster): Promise<unknown> {
  const { client } = cluster;
  const other = await createMap(client, "other");
  for (const propagation of ["Background", "Foreground", "Orphan"] as const) {
    const at = propagation.toLowerCase();
    const owner = await createMap(client, at);
    await createMap(client, `${at}-held`, { ownerReferences: [owner], finalizers: ["example.com/held"] });
    await createMap(client, `${at}-free`, { ownerReferences: [owner] });
    await createMap(client, `${at}-shared`, { ownerReferences: [owner, other] });
    await client.delete(ConfigMap, at, { propagation });
  }
  const read = async (): Promise<unknown[]> => {
    const maps = await client.list(ConfigMap, { namespace: "default" });
    return maps.map(({ metadata: { name, finalizers, ownerReferences, deletionTimestamp } }) => [
      name,
      finalizers,
      ownerReferences?.map((owner) => owner.name),
      deletionTimestamp !== undefined,
    ]);
  };
  await cluster.eventually(async () => expect(await read()).toEqual(expected), { withinMs: 20_000 });
  return read();
}

const expected = [
  ["background-held", ["example.com/held"], ["background"], true],
  ["background-shared", undefined, ["other"], false],
  ["foreground", ["foregroundDeletion"], undefined, true],
  ["foreground-held", ["example.com/held"], ["foreground"], true],
  ["foreground-shared", undefined, ["other"], false],
  ["orphan-free", undefined, undefined, false],
  ["orphan-held", ["example.com/held"], undefined, false],
  ["orphan-shared", undefined, ["other"], false],
  ["other", undefined, undefined, false],
];

async function namespaceDeletions(cluster: Cluster): Promise<unknown> {
  const { client } = cluster;
  for (const name of ["empty", "held"]) await client.create(Namespace, { metadata: { name } });
  await createMap(client, "held", { namespace: "held", finalizers: ["example.com/a", "example.com/b"] });
  for (const name of ["empty", "held"]) await client.delete(Namespace, name);
  return cluster.eventually(
    async () => {
      expect(await client.get(Namespace, "empty")).toBeUndefined();
      const { status } = (await client.get(Namespace, "held")) ?? {};
      const conditions = status?.conditions?.map(({ lastTransitionTime: _, ...rest }) => rest);
      expect(conditions?.length).toBe(5);
      return { phase: status?.phase, conditions };
    },
    { withinMs: 20_000 },
  );
}

test.skipIf(!existsSync(program))("deletions end as with kube-controller-manager", async () => {
  const run = async (cluster: Cluster): Promise<unknown> => [
    await deletions(cluster),
    await namespaceDeletions(cluster),
  ];
  expect(await withOurs(run)).toEqual(await withKubeControllers(run));
});
