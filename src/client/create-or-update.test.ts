import { expect, test } from "vitest";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { type Client, createOrPatch, createOrUpdate, type Mutable } from "./index.ts";

/** Returns a client that records its writes. */
function noting(client: Client, written: string[]): Client {
  return client.through((transport) => ({
    ...transport,
    server: transport.server,
    close: () => transport.close(),
    open: (request) => transport.open(request),
    send(request) {
      if (request.method !== "GET")
        written.push(`${request.method} ${request.path.split("/").at(-1)?.split("?")[0]}`);
      return transport.send(request);
    },
  }));
}

async function world(): Promise<{ cluster: Cluster; client: Client; written: string[] }> {
  const cluster = await startCluster();
  const written: string[] = [];
  return { cluster, written, client: noting(cluster.client, written) };
}

const say =
  (x: string) =>
  (map: Mutable<ConfigMap>): void => {
    map.data = { ...map.data, x };
  };

function web(replicas: number): (deployment: Mutable<Deployment>) => void {
  return (deployment) => {
    const labels = { app: "web" };
    deployment.spec ??= {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    };
    deployment.spec.replicas = replicas;
  };
}

test.each([
  { name: "createOrUpdate", ensure: createOrUpdate, change: "PUT a" },
  { name: "createOrPatch", ensure: createOrPatch, change: "PATCH a" },
])(
  "$name creates a missing object, writes a changed one, and does not write an unchanged one",
  async ({ ensure, change }) => {
    const { cluster, client, written } = await world();
    await using _ = cluster;
    const results: unknown[] = [];
    for (const x of ["1", "1", "2"]) {
      const { result, object } = await ensure(client, ConfigMap, { key: "a", mutate: say(x) });
      results.push([result, object.metadata.namespace, object.data]);
    }
    expect(results).toEqual([
      ["created", "default", { x: "1" }],
      ["unchanged", "default", { x: "1" }],
      ["updated", "default", { x: "2" }],
    ]);
    expect(written).toEqual(["POST configmaps", change]);
  },
);

test.each([{ ensure: createOrUpdate }, { ensure: createOrPatch }])(
  "fields that the server sets are not a change: $ensure.name",
  async ({ ensure }) => {
    const { cluster, client } = await world();
    await using _ = cluster;
    const results: string[] = [];
    for (const replicas of [1, 1, 2, 2]) {
      results.push((await ensure(client, Deployment, { key: "default/web", mutate: web(replicas) })).result);
    }
    expect(results).toEqual(["created", "unchanged", "updated", "unchanged"]);
  },
);

test.each([{ ensure: createOrUpdate }, { ensure: createOrPatch }])(
  "a changed name is refused: $ensure.name",
  async ({ ensure }) => {
    const { cluster, client, written } = await world();
    await using _ = cluster;
    const rename = (map: Mutable<ConfigMap>): void => {
      map.metadata.name = "b";
    };
    const move = (map: Mutable<ConfigMap>): void => {
      map.metadata.namespace = "elsewhere";
    };
    const refused = "expected `mutate` to keep the name and namespace of v1 ConfigMap";
    await expect(ensure(client, ConfigMap, { key: "default/a", mutate: rename })).rejects.toThrow(
      `${refused} default/a, got default/b`,
    );
    await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
    await expect(ensure(client, ConfigMap, { key: "a", mutate: move })).rejects.toThrow(
      `${refused} default/a, got elsewhere/a`,
    );
    expect(written).toEqual([]);
  },
);

test.each([{ ensure: createOrUpdate }, { ensure: createOrPatch }])(
  "the owner becomes the controller of new and existing objects: $ensure.name",
  async ({ ensure }) => {
    const { cluster, client } = await world();
    await using _ = cluster;
    const owner = await client.create(ConfigMap, { metadata: { name: "owner" } });
    const { name, uid } = owner.metadata;
    const reference = {
      apiVersion: "v1",
      kind: "ConfigMap",
      name,
      uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    await client.create(Secret, { metadata: { name: "old" } });
    const results: unknown[] = [];
    for (const key of ["new", "new", "old", "old"]) {
      const { result, object } = await ensure(client, Secret, { key, owner, mutate() {} });
      results.push([result, object.metadata.ownerReferences]);
    }
    expect(results).toEqual([
      ["created", [reference]],
      ["unchanged", [reference]],
      ["updated", [reference]],
      ["unchanged", [reference]],
    ]);
  },
);

test("an invalid owner is refused before anything is sent", async () => {
  const { cluster, client, written } = await world();
  await using _ = cluster;
  const owner = await cluster.client.create(ConfigMap, { metadata: { name: "owner" } });
  const other = await cluster.client.create(ConfigMap, { metadata: { name: "other" } });
  await cluster.client.create(Namespace, { metadata: { name: "elsewhere" } });
  await cluster.client.create(Secret, { metadata: { name: "taken" } }, { owner: other });
  await expect(createOrUpdate(client, Secret, { key: "elsewhere/a", owner, mutate() {} })).rejects.toThrow(
    "expected an object in namespace default of its owner ConfigMap default/owner, got Secret elsewhere/a",
  );
  await expect(createOrPatch(client, Namespace, { key: "a", owner, mutate() {} })).rejects.toThrow(
    "expected an object in namespace default of its owner ConfigMap default/owner, got Namespace a in none",
  );
  await expect(createOrUpdate(client, Secret, { key: "taken", owner, mutate() {} })).rejects.toThrow(
    `expected no other controller on Secret default/taken, got ConfigMap other (uid ${other.metadata.uid})`,
  );
  expect(written).toEqual([]);
});

test("the status and the other fields are patched separately, each only if it changed", async () => {
  const { cluster, client, written } = await world();
  await using _ = cluster;
  const both = (replicas: number, readyReplicas: number) => (deployment: Mutable<Deployment>) => {
    web(replicas)(deployment);
    deployment.status = { ...deployment.status, replicas: readyReplicas, readyReplicas };
  };
  const seen: unknown[] = [];
  for (const [replicas, ready] of [
    [2, 1],
    [2, 1],
    [3, 1],
    [3, 2],
    [4, 3],
    [4, 3],
  ] as const) {
    const { result, object } = await createOrPatch(client, Deployment, {
      key: "web",
      mutate: both(replicas, ready),
    });
    seen.push([result, object.spec.replicas, object.status?.readyReplicas, written.splice(0)]);
  }
  expect(seen).toEqual([
    ["created", 2, undefined, ["POST deployments"]],
    ["updated", 2, 1, ["PATCH status"]],
    ["updated", 3, 1, ["PATCH web"]],
    ["updated", 3, 2, ["PATCH status"]],
    ["updated", 4, 3, ["PATCH web", "PATCH status"]],
    ["unchanged", 4, 3, []],
  ]);
});

test("a concurrent change is a conflict for createOrUpdate, and is kept by createOrPatch", async () => {
  const { cluster, client } = await world();
  await using _ = cluster;
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "0" } });
  const late = async (map: Mutable<ConfigMap>): Promise<void> => {
    await cluster.client.patch(ConfigMap, "a", { merge: { data: { theirs: "1" } } });
    say("1")(map);
  };
  await expect(createOrUpdate(client, ConfigMap, { key: "a", mutate: late })).rejects.toMatchObject({
    code: 409,
  });
  const { object } = await createOrPatch(client, ConfigMap, { key: "a", mutate: late });
  expect(object.data).toEqual({ x: "1", theirs: "1" });
});

test("a newer object of the same name is neither replaced nor patched", async () => {
  const { cluster, client } = await world();
  await using _ = cluster;
  const late = async (map: Mutable<ConfigMap>): Promise<void> => {
    await cluster.client.delete(ConfigMap, "a");
    await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
    say("1")(map);
  };
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await expect(createOrUpdate(client, ConfigMap, { key: "a", mutate: late })).rejects.toMatchObject({
    code: 409,
  });
  await expect(createOrPatch(client, ConfigMap, { key: "a", mutate: late })).rejects.toThrow(
    "metadata.uid: Invalid value",
  );
  expect((await client.get(ConfigMap, "a"))?.data).toBeUndefined();
});

test("errors of the read and of `mutate` are thrown, and nothing is written", async () => {
  const reads = { verb: "get" as const, resource: "secrets" };
  await using cluster = await startCluster({ faults: [{ on: reads, fault: { type: "refuse", code: 500 } }] });
  const written: string[] = [];
  const client = noting(cluster.client, written);
  const fail = (): void => {
    throw new Error("no idea");
  };
  await expect(createOrUpdate(client, ConfigMap, { key: "a", mutate: fail })).rejects.toThrow("no idea");
  await expect(createOrPatch(client, Secret, { key: "a", mutate() {} })).rejects.toMatchObject({ code: 500 });
  expect(written).toEqual([]);
});
