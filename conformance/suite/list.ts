import { ConfigMap, Namespace, Pod } from "trimtab/api/core/v1";
import type { Client, ListOptions } from "trimtab/client";
import { lean } from "../expected-event.ts";
import { firstOf } from "../first-of.ts";
import { masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

async function fill(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.create(ConfigMap, { metadata: { name } });
}

async function names(client: Client, options?: ListOptions): Promise<string[]> {
  const objects = await client.list(ConfigMap, options);
  return objects.map(({ metadata }) => metadata.name);
}

scenario(
  "objects of a namespace are listed in the order of their names",
  async ({ client, namespace, expect }) => {
    await fill(client, ["b", "c", "a", "a-b", "a.b"]);
    expect(await names(client)).toEqual(["a", "a-b", "a.b", "b", "c"]);
    const [first] = await client.list(ConfigMap);
    expect(masked(first)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        namespace,
        uid: "<uid>",
        resourceVersion: "<version>",
        creationTimestamp: "<time>",
      },
    });
  },
);

scenario("a list without objects is empty", async ({ client, cluster, expect }) => {
  expect(await client.list(Pod)).toEqual([]);
  expect(await cluster.client.list(Pod, { namespace: "none" })).toEqual([]);
});

scenario("labels select objects", async ({ client, expect }) => {
  const labelled = { a: { tier: "web", canary: "" }, b: { tier: "web" }, c: { tier: "api" }, d: {} };
  for (const [name, labels] of Object.entries<Record<string, string>>(labelled)) {
    await client.create(ConfigMap, { metadata: { name, labels } });
  }
  const chosen = (labels: NonNullable<ListOptions["labels"]>) => names(client, { labels });
  expect(await chosen({ tier: "web" })).toEqual(["a", "b"]);
  expect(await chosen({ tier: "web", canary: "" })).toEqual(["a"]);
  expect(await chosen("tier=web")).toEqual(["a", "b"]);
  expect(await chosen("tier!=web")).toEqual(["c", "d"]);
  expect(await chosen("tier in (web, api), !canary")).toEqual(["b", "c"]);
  expect(await chosen("tier notin (web)")).toEqual(["c", "d"]);
  expect(await chosen("canary")).toEqual(["a"]);
  expect(await chosen({})).toEqual(["a", "b", "c", "d"]);
});

scenario("an invalid label selector is refused", async ({ client, expect }) => {
  expect(await refusal(client.list(ConfigMap, { labels: "tier in web" }))).toEqual({
    code: 400,
    reason: "BadRequest",
    message: "unable to parse requirement: found 'web' expected: '('",
  });
});

scenario("an invalid field selector is refused", async ({ client, expect }) => {
  expect(await refusal(client.list(ConfigMap, { fields: "metadata.name" }))).toEqual({
    code: 400,
    reason: "BadRequest",
    message: "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  });
});

scenario(
  "objects of every kind are selected by name and namespace",
  async ({ client, namespace, expect }) => {
    await fill(client, ["a", "b", "c"]);
    expect(await names(client, { fields: { "metadata.name": "b" } })).toEqual(["b"]);
    expect(await names(client, { fields: "metadata.name!=b" })).toEqual(["a", "c"]);
    expect(await names(client, { fields: { "metadata.namespace": namespace } })).toEqual(["a", "b", "c"]);
    expect(await names(client, { fields: { "metadata.namespace": "none" } })).toEqual([]);
  },
);

scenario("an unsupported field selector is refused", async ({ client, expect }) => {
  expect(await refusal(client.list(ConfigMap, { fields: { "data.key": "a" } }))).toEqual({
    code: 400,
    reason: "BadRequest",
    message: '"data.key" is not a known field selector: only "metadata.name", "metadata.namespace"',
  });
});

scenario("Pods are selected by node and phase", async ({ client, expect }) => {
  const spec = { containers: [{ name: "main", image: "none" }] };
  await client.create(Pod, { metadata: { name: "bound" }, spec: { ...spec, nodeName: "nowhere" } });
  await client.create(Pod, { metadata: { name: "free" }, spec: { ...spec, schedulerName: "none" } });
  const chosen = async (fields: Record<string, string>): Promise<string[]> =>
    (await client.list(Pod, { fields })).map(({ metadata }) => metadata.name);
  expect(await chosen({ "spec.nodeName": "nowhere" })).toEqual(["bound"]);
  expect(await chosen({ "spec.nodeName": "" })).toEqual(["free"]);
  expect(await chosen({ "status.phase": "Pending", "spec.schedulerName": "none" })).toEqual(["free"]);
  expect(await chosen({ "status.phase": "Running" })).toEqual([]);
});

scenario("a list across namespaces is sorted by namespace", async ({ namespace, cluster, expect }) => {
  const labels = { scenario: namespace };
  const { client } = cluster;
  const other = await client.create(Namespace, { metadata: { name: `${namespace}-other` } });
  try {
    for (const [place, name] of [
      [other.metadata.name, "a"],
      [namespace, "b"],
      [namespace, "a"],
    ] as const) {
      await client.create(ConfigMap, { metadata: { namespace: place, name, labels } });
    }
    const all = await client.list(ConfigMap, { labels });
    expect(all.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      `${namespace}-other/a`,
      `${namespace}/a`,
      `${namespace}/b`,
    ]);
    expect(await names(client, { namespace, labels })).toEqual(["a", "b"]);
  } finally {
    await client.delete(Namespace, other);
  }
});

scenario("pages are consistent, and have the remaining item count", async ({ client, expect }) => {
  await fill(client, ["a", "b", "c", "d", "e"]);
  const pages: unknown[] = [];
  const versions = new Set<string>();
  for await (const { items, remaining, resourceVersion } of client.pages(ConfigMap, { pageSize: 2 })) {
    pages.push({ names: items.map(({ metadata }) => metadata.name), remaining });
    versions.add(resourceVersion);
    await client.delete(ConfigMap, "e");
    await client.apply(ConfigMap, { metadata: { name: "aa" } });
  }
  expect(pages).toEqual([
    { names: ["a", "b"], remaining: 3 },
    { names: ["c", "d"], remaining: 1 },
    { names: ["e"], remaining: 0 },
  ]);
  expect(versions.size).toBe(1);
  expect(await names(client)).toEqual(["a", "aa", "b", "c", "d"]);
});

scenario("pages with a selector have no remaining item count", async ({ client, expect }) => {
  await fill(client, ["a", "b", "c"]);
  const left: unknown[] = [];
  for await (const { remaining } of client.pages(ConfigMap, { pageSize: 2, labels: "!none" })) {
    left.push(remaining);
  }
  expect(left).toEqual([undefined, 0]);
});

scenario("a list of many pages is complete", async ({ client, expect }) => {
  const all = Array.from({ length: 21 }, (_, index) => `n${String(index).padStart(2, "0")}`);
  await Promise.all(all.map((name) => fill(client, [name])));
  const progress: unknown[] = [];
  const onProgress = (step: unknown) => progress.push(step);
  expect(await names(client, { pageSize: 10, onProgress })).toEqual(all);
  expect(progress).toEqual([
    { loaded: 10, remaining: 11 },
    { loaded: 20, remaining: 1 },
    { loaded: 21, remaining: 0 },
  ]);
});

scenario("an exactly full page is the last one", async ({ client, expect }) => {
  await fill(client, ["a", "b"]);
  const [page] = await firstOf(1, client.pages(ConfigMap, { pageSize: 2 }));
  expect(page?.remaining).toBe(0);
});

scenario("an invalid continue token is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps?limit=1&continue=none`;
  expect(await raw(client, path)).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message:
        "invalid continue token: continue key is not valid: invalid character '\\u009e' looking for beginning of value",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("a continue token with a resourceVersion is refused", async ({ client, namespace, expect }) => {
  await fill(client, ["a", "b"]);
  const path = `/api/v1/namespaces/${namespace}/configmaps?limit=1`;
  const first = await client.transport.send({ method: "GET", path });
  const { continue: token } = JSON.parse(first.body.toString()).metadata;
  expect(await raw(client, `${path}&continue=${token}&resourceVersion=1`)).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message: "specifying resource version is not allowed when using continue",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("a list at an exact version returns the state of that version", async ({ client, expect }) => {
  await fill(client, ["a"]);
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "b" } });
  await client.delete(ConfigMap, "a");
  await client.create(ConfigMap, { metadata: { name: "c" } });
  const { resourceVersion } = metadata;
  expect(await names(client, { resourceVersion, resourceVersionMatch: "Exact" })).toEqual(["a", "b"]);
  const paged = await names(client, { resourceVersion, resourceVersionMatch: "Exact", pageSize: 1 });
  expect(paged).toEqual(["a", "b"]);
});

scenario("a list not older than a write contains it", async ({ client, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { resourceVersion } = metadata;
  expect(await names(client, { resourceVersion })).toEqual(["a"]);
  expect(await names(client, { resourceVersion, resourceVersionMatch: "NotOlderThan" })).toEqual(["a"]);
});

scenario("a list with resourceVersion 0 finds an older object", async ({ cluster, expect }) => {
  const found = await cluster.client.list(Namespace, { resourceVersion: "0" });
  expect(found.map(({ metadata }) => metadata.name)).toContain("kube-system");
});

scenario("resourceVersionMatch without a resourceVersion is refused", async ({ client, expect }) => {
  expect(await refusal(client.list(ConfigMap, { resourceVersionMatch: "Exact" }))).toEqual({
    code: 422,
    reason: "Invalid",
    message:
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    details: {
      kind: "ListOptions",
      group: "meta.k8s.io",
      causes: [
        {
          reason: "FieldValueForbidden",
          message: "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
          field: "resourceVersionMatch",
        },
      ],
    },
  });
});

scenario("a list has no managedFields by default", async ({ client, expect }) => {
  const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  expect(created.metadata.managedFields).toHaveLength(1);
  expect(await client.list(ConfigMap)).toEqual([lean(created)]);
  expect(await client.list(ConfigMap, { managedFields: true })).toEqual([created]);
});
