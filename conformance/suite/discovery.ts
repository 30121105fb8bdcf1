import { kind } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Namespace, Pod } from "trimtab/api/core/v1";
import { UnknownKindError } from "trimtab/client";
import { raw } from "../raw.ts";
import { scenario } from "../scenario.ts";
import { widgets } from "../widgets.ts";

scenario("discovery lists the kinds, with verbs and subresources", async ({ cluster, expect }) => {
  const { kinds, unavailable } = await cluster.client.discover();
  expect(unavailable).toEqual([]);
  const served = (wanted: { readonly group: string; readonly kind: string }) =>
    kinds.find((one) => one.kind.group === wanted.group && one.kind.kind === wanted.kind);
  expect(served(Deployment)).toEqual({
    kind: { kind: "Deployment", group: "apps", namespaced: true, plural: "deployments", version: "v1" },
    categories: ["all"],
    shortNames: ["deploy"],
    singular: "deployment",
    subresources: ["scale", "status"],
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  });
  expect(served(ConfigMap)).toEqual({
    kind: { kind: "ConfigMap", group: "", namespaced: true, plural: "configmaps", version: "v1" },
    categories: [],
    shortNames: ["cm"],
    singular: "configmap",
    subresources: [],
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  });
  expect(served(Namespace)).toEqual({
    kind: { kind: "Namespace", group: "", namespaced: false, plural: "namespaces", version: "v1" },
    categories: [],
    shortNames: ["ns"],
    singular: "namespace",
    subresources: ["finalize", "status"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  });
  expect(served(Pod)).toEqual({
    kind: { kind: "Pod", group: "", namespaced: true, plural: "pods", version: "v1" },
    categories: ["all"],
    shortNames: ["po"],
    singular: "pod",
    subresources: [
      "attach",
      "binding",
      "ephemeralcontainers",
      "eviction",
      "exec",
      "log",
      "portforward",
      "proxy",
      "resize",
      "status",
    ],
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  });
});

scenario("discovery lists a custom kind with the built-in ones", async (stage) => {
  const { cluster, expect } = stage;
  await using defined = await widgets(stage);
  const { kinds } = await cluster.client.discover();
  const found = kinds.find((one) => one.kind.group === defined.group);
  expect(found).toEqual({
    kind: { group: defined.group, version: "v1", kind: "Widget", plural: "widgets", namespaced: true },
    singular: "widget",
    shortNames: ["wd"],
    categories: ["all"],
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    subresources: ["status", "scale"],
  });
});

scenario("a kind given by name only is resolved with plural and scope", async ({ cluster, expect }) => {
  const { client } = cluster;
  const ingress = kind({ group: "networking.k8s.io", version: "v1", kind: "Ingress" });
  expect(await client.resolve(ingress)).toEqual({
    group: "networking.k8s.io",
    version: "v1",
    kind: "Ingress",
    plural: "ingresses",
    namespaced: true,
  });
  const node = kind({ version: "v1", kind: "Node" });
  expect(await client.resolve(node)).toMatchObject({ plural: "nodes", namespaced: false });
  const nothing = kind({ group: "nothing.example.dev", version: "v1", kind: "Nothing" });
  await expect(client.resolve(nothing)).rejects.toBeInstanceOf(UnknownKindError);
});

scenario("the version has all its fields", async ({ cluster, expect }) => {
  const { major, minor, gitVersion } = await cluster.client.version();
  expect(gitVersion.startsWith(`v${major}.${minor.replace("+", "")}.`)).toBe(true);
});

scenario("a client that requests legacy discovery gets one group at a time", async ({ client, expect }) => {
  const { status, body } = await raw(client, "/apis/apps/v1");
  const { resources, ...list } = body as { resources: { name: string }[] };
  expect({ status, list }).toEqual({
    status: 200,
    list: { kind: "APIResourceList", apiVersion: "v1", groupVersion: "apps/v1" },
  });
  expect(resources.find(({ name }) => name === "deployments")).toEqual({
    kind: "Deployment",
    name: "deployments",
    categories: ["all"],
    namespaced: true,
    shortNames: ["deploy"],
    singularName: "deployment",
    storageVersionHash: "8aSe+NMegvE=",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  });
  expect(resources.find(({ name }) => name === "deployments/scale")).toEqual({
    kind: "Scale",
    name: "deployments/scale",
    group: "autoscaling",
    namespaced: true,
    singularName: "",
    verbs: ["get", "patch", "update"],
    version: "v1",
  });
});

scenario("legacy discovery lists the groups", async ({ client, expect }) => {
  const { status, body } = await raw(client, "/apis");
  const { groups, ...list } = body as { groups: { name: string }[] };
  expect({ status, list }).toEqual({ status: 200, list: { kind: "APIGroupList", apiVersion: "v1" } });
  expect(groups.find(({ name }) => name === "apps")).toEqual({
    name: "apps",
    preferredVersion: { groupVersion: "apps/v1", version: "v1" },
    versions: [{ groupVersion: "apps/v1", version: "v1" }],
  });
  expect((await raw(client, "/apis/apps")).body).toEqual({
    kind: "APIGroup",
    apiVersion: "v1",
    name: "apps",
    preferredVersion: { groupVersion: "apps/v1", version: "v1" },
    versions: [{ groupVersion: "apps/v1", version: "v1" }],
  });
});

scenario("legacy discovery lists the versions of the core group", async ({ client, expect }) => {
  const { status, body } = await raw(client, "/api");
  expect({ status, body }).toMatchObject({ status: 200, body: { kind: "APIVersions", versions: ["v1"] } });
});
