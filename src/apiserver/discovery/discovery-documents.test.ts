import { expect, test } from "vitest";
import { builtinResources } from "../builtin-resources.ts";
import { readJson } from "./path-requests.fixture.ts";
import { stable, widgets } from "./served.fixture.ts";

const everyVerb = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

interface Entry {
  readonly name: string;
  readonly storageVersionHash?: string;
}

async function entries(path: string, names: readonly string[], resources = stable): Promise<unknown[]> {
  const { resources: all } = (await readJson(path, { resources })) as {
    readonly resources: readonly Entry[];
  };
  return names.map((name) => all.find((entry) => entry.name === name));
}

test("/api lists the core versions and the server address", async () => {
  expect(await readJson("/api")).toEqual({
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
  });
});

test("a group lists its versions, the preferred one first", async () => {
  const group = {
    name: "autoscaling",
    versions: [
      { groupVersion: "autoscaling/v2", version: "v2" },
      { groupVersion: "autoscaling/v1", version: "v1" },
    ],
    preferredVersion: { groupVersion: "autoscaling/v2", version: "v2" },
  };
  expect(await readJson("/apis/autoscaling")).toEqual({ kind: "APIGroup", apiVersion: "v1", ...group });
  const { groups, ...list } = (await readJson("/apis")) as { readonly groups: readonly object[] };
  expect(list).toEqual({ kind: "APIGroupList", apiVersion: "v1" });
  expect(groups).toContainEqual(group);
  expect(groups.length).toBe(20);
});

test("a version lists its resources, each followed by its subresources", async () => {
  expect(await readJson("/apis/policy/v1")).toEqual({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "policy/v1",
    resources: [
      {
        name: "poddisruptionbudgets",
        singularName: "poddisruptionbudget",
        namespaced: true,
        kind: "PodDisruptionBudget",
        verbs: everyVerb,
        shortNames: ["pdb"],
        storageVersionHash: "EVWiDmWqyJw=",
      },
      {
        name: "poddisruptionbudgets/status",
        singularName: "",
        namespaced: true,
        kind: "PodDisruptionBudget",
        verbs: ["get", "patch", "update"],
      },
    ],
  });
});

test("the core list has no apiVersion, and subresources of other groups name their group", async () => {
  const { resources, ...list } = (await readJson("/api/v1")) as { readonly resources: readonly object[] };
  expect(list).toEqual({ kind: "APIResourceList", groupVersion: "v1" });
  expect(resources.length).toBe(39);
  expect(await entries("/api/v1", ["bindings", "pods/eviction", "serviceaccounts/token"])).toEqual([
    { name: "bindings", singularName: "binding", namespaced: true, kind: "Binding", verbs: ["create"] },
    {
      name: "pods/eviction",
      singularName: "",
      namespaced: true,
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    },
    {
      name: "serviceaccounts/token",
      singularName: "",
      namespaced: true,
      group: "authentication.k8s.io",
      version: "v1",
      kind: "TokenRequest",
      verbs: ["create"],
    },
  ]);
});

test("a custom resource has its names, subresources and the hash of its storage version", async () => {
  const resources = [...stable, widgets({ version: "v1beta1", storageVersion: "v1" })];
  expect(await readJson("/apis/zeta.example.dev/v1beta1", { resources })).toEqual({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "zeta.example.dev/v1beta1",
    resources: [
      {
        name: "widgets",
        singularName: "widget",
        namespaced: true,
        kind: "Widget",
        verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        shortNames: ["wd", "wg"],
        categories: ["all", "gear"],
        storageVersionHash: "SVCYZahIPQk=",
      },
      {
        name: "widgets/status",
        singularName: "",
        namespaced: true,
        kind: "Widget",
        verbs: ["get", "patch", "update"],
      },
      {
        name: "widgets/scale",
        singularName: "",
        namespaced: true,
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs: ["get", "patch", "update"],
      },
    ],
  });
});

test.each([
  ["/apis/apps/v1", "deployments", "8aSe+NMegvE="],
  ["/apis/apps/v1", "controllerrevisions", "85nkx63pcBU="],
  ["/apis/autoscaling/v1", "horizontalpodautoscalers", "qwQve8ut294="],
  ["/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="],
  ["/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="],
])("%s %s has the hash of its storage version", async (path, name, hash) => {
  expect(await entries(path, [name], builtinResources())).toMatchObject([{ storageVersionHash: hash }]);
});
