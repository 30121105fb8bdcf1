import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import type { MigrateProgress } from "trimtab/client";
import { served, versionsOf } from "../declared-options.ts";
import { scenario } from "../scenario.ts";

scenario(
  "a migration rewrites objects in the storage version, and removes the old version",
  async (stage) => {
    const { client, cluster, namespace, signal, expect } = stage;
    const before = versionsOf(namespace, "v1beta1");
    const after = versionsOf(namespace, "v1");
    await using kinds = await served(before, cluster.client, signal);
    const { name } = kinds.definition.metadata;
    for (const each of ["a", "b", "c", "probe"]) {
      await client.create(before.v1beta1, { metadata: { name: each }, spec: { image: "nginx" } });
    }
    const { spec } = after.toCustomResourceDefinition();
    await cluster.client.patch(CustomResourceDefinition, name, { merge: { spec } });
    // The server takes a moment to store in the new version. An unchanged write shows when it does.
    const written = async () =>
      (await client.patch(after.v1, "probe", { merge: {} })).metadata.resourceVersion;
    const first = await client.get(after.v1, "probe");
    await expect.poll(written).not.toBe(first?.metadata.resourceVersion);
    await client.delete(after.v1, "probe");
    const storedVersions = async () =>
      (await cluster.client.get(CustomResourceDefinition, name))?.status?.storedVersions;
    expect(await storedVersions()).toEqual(["v1beta1", "v1"]);
    const versions = async () =>
      (await client.list(after.v1)).map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
    const old = await versions();
    const progress: MigrateProgress[] = [];
    const options = { pageSize: 2, signal, onProgress: (each: MigrateProgress) => progress.push(each) };
    expect(await cluster.client.migrate(after.v1, options)).toEqual({
      storageVersion: "v1",
      migrated: 3,
      removedVersions: ["v1beta1"],
    });
    expect(progress.at(-1)).toEqual({ migrated: 3, total: 3 });
    const rewritten = await versions();
    expect(rewritten.map(([each]) => each)).toEqual(["a", "b", "c"]);
    expect(rewritten.filter((each, index) => String(each) === String(old[index]))).toEqual([]);
    expect(await storedVersions()).toEqual(["v1"]);
    const only = { spec: { versions: spec.versions.filter((each) => each.name === "v1") } };
    const definition = await cluster.client.patch(CustomResourceDefinition, name, { merge: only });
    expect(definition.spec.versions.map((each) => each.name)).toEqual(["v1"]);
    expect((await client.get(after.v1, "a"))?.spec).toEqual({ image: "nginx" });
  },
);
