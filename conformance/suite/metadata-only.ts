import { metadataOnly } from "trimtab/api";
import { ConfigMap } from "trimtab/api/core/v1";
import { changed, lean } from "../expected-event.ts";
import { firstOf } from "../first-of.ts";
import { masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { scenario } from "../scenario.ts";

const ConfigMapMetadata = metadataOnly(ConfigMap);

/** The metadata of an object without the rest. */
const partial = ({ metadata }: ConfigMap) => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});

scenario("a get returns metadata only", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, {
    metadata: { name: "a", labels: { app: "a" } },
    data: { key: "1" },
  });
  expect(await client.get(ConfigMapMetadata, "a")).toEqual(partial(created));
  expect(await client.get(ConfigMapMetadata, "none")).toBeUndefined();
});

scenario("a list returns metadata only", async ({ client, expect }) => {
  expect(await client.list(ConfigMapMetadata)).toEqual([]);
  const created = [];
  for (const name of ["a", "b", "c"]) {
    created.push(await client.create(ConfigMap, { metadata: { name }, data: { key: "1" } }));
  }
  expect(await client.list(ConfigMapMetadata, { pageSize: 2 })).toEqual(created.map(partial).map(lean));
});

scenario("an empty list of metadata has no items", async ({ client, namespace, expect }) => {
  const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  const response = await raw(client, `/api/v1/namespaces/${namespace}/configmaps?labelSelector=none`, {
    accept,
  });
  expect(masked(response)).toEqual({
    status: 200,
    body: {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "<version>" },
      items: null,
    },
  });
});

scenario("a watch returns metadata only", async ({ client, signal, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  const events = [];
  for await (const event of client.watch(ConfigMapMetadata, { signal })) {
    events.push(event);
    if (event.type === "deleted") break;
    await client.delete(ConfigMap, "a");
  }
  expect(events[0]).toEqual(changed("added", partial(created)));
  expect(masked(events[1])).toEqual(masked(changed("deleted", partial(created))));
});

scenario("a patch changes the metadata and returns it", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  const patched = await client.patch(ConfigMapMetadata, "a", {
    merge: { metadata: { labels: { app: "a" } } },
  });
  const stored = await client.get(ConfigMap, "a");
  expect(patched).toEqual(stored && partial(stored));
  expect(stored?.data).toEqual({ key: "1" });
});

scenario("a kind known by its metadata can be deleted", async ({ client, expect }) => {
  for (const name of ["a", "b"]) await client.create(ConfigMap, { metadata: { name } });
  const [first] = await firstOf(1, client.pages(ConfigMapMetadata, { pageSize: 1 }));
  for (const object of first?.items ?? []) await client.delete(ConfigMapMetadata, object);
  expect((await client.list(ConfigMap)).map(({ metadata }) => metadata.name)).toEqual(["b"]);
  await client.deleteAll(ConfigMapMetadata, {});
  expect(await client.list(ConfigMap)).toEqual([]);
});
