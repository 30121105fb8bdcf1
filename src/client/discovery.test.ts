import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { connected } from "./connected.fixture.ts";
import { type Reply, refused, type ScriptedTransport } from "./scripted-transport.fixture.ts";

async function discovered(
  ...replies: readonly Reply[]
): Promise<{ found: unknown; transport: ScriptedTransport }> {
  const { client, transport } = connected(...replies);
  return { found: await client.discover(), transport };
}

const verbs = ["get", "list"];
const pods = {
  kind: kind({ version: "v1", kind: "Pod", plural: "pods", namespaced: true }),
  singular: "pod",
  shortNames: ["po"],
  categories: ["all"],
  verbs,
  subresources: ["log", "status"],
};
const nodes = {
  kind: kind({ version: "v1", kind: "Node", plural: "nodes", namespaced: false }),
  singular: "node",
  shortNames: [],
  categories: [],
  verbs,
  subresources: [],
};
const deployments = {
  kind: kind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true }),
  singular: "deployment",
  shortNames: [],
  categories: [],
  verbs,
  subresources: [],
};

const aggregatedCore = {
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: [
    {
      metadata: {},
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "pods",
              responseKind: { group: "", version: "", kind: "Pod" },
              scope: "Namespaced",
              singularResource: "pod",
              verbs,
              shortNames: ["po"],
              categories: ["all"],
              subresources: [
                { subresource: "log", verbs: ["get"] },
                { subresource: "status", verbs: ["get"] },
              ],
            },
            {
              resource: "nodes",
              responseKind: { group: "", version: "", kind: "Node" },
              scope: "Cluster",
              singularResource: "node",
              verbs,
            },
            { resource: "parts", scope: "Namespaced", singularResource: "", verbs: [] },
          ],
        },
      ],
    },
  ],
};
const aggregatedGroups = (freshness: string) => ({
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: [
    {
      metadata: { name: "apps" },
      versions: [
        {
          version: "v1",
          freshness,
          resources: [
            {
              resource: "deployments",
              responseKind: { group: "", version: "", kind: "Deployment" },
              scope: "Namespaced",
              singularResource: "deployment",
              verbs,
            },
          ],
        },
      ],
    },
  ],
});

const oldCore = { kind: "APIVersions", versions: ["v1"] };
const oldGroups = {
  kind: "APIGroupList",
  apiVersion: "v1",
  groups: [{ name: "apps", versions: [{ version: "v1" }] }],
};
const coreResources = {
  kind: "APIResourceList",
  groupVersion: "v1",
  resources: [
    {
      name: "pods",
      singularName: "pod",
      namespaced: true,
      kind: "Pod",
      verbs,
      shortNames: ["po"],
      categories: ["all"],
    },
    { name: "pods/log", singularName: "", namespaced: true, kind: "Pod", verbs: ["get"] },
    { name: "pods/status", singularName: "", namespaced: true, kind: "Pod", verbs: ["get"] },
    { name: "nodes", singularName: "node", namespaced: false, kind: "Node", verbs },
  ],
};
const appsResources = {
  kind: "APIResourceList",
  groupVersion: "apps/v1",
  resources: [
    { name: "deployments", singularName: "deployment", namespaced: true, kind: "Deployment", verbs },
  ],
};

test("aggregated discovery takes two requests", async () => {
  const { found, transport } = await discovered(
    { body: aggregatedCore },
    { body: aggregatedGroups("Current") },
  );
  expect(found).toEqual({ kinds: [pods, nodes, deployments], unavailable: [] });
  expect(transport.lines).toEqual(["GET /api", "GET /apis"]);
  expect(transport.requests[0]?.headers?.accept).toBe(
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
      "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
  );
});

test("without aggregated discovery, each group and version is requested", async () => {
  const { found, transport } = await discovered(
    { body: oldCore },
    { body: oldGroups },
    { body: coreResources },
    { body: appsResources },
  );
  expect(found).toEqual({ kinds: [pods, nodes, deployments], unavailable: [] });
  expect(transport.lines).toEqual(["GET /api", "GET /apis", "GET /api/v1", "GET /apis/apps/v1"]);
});

test.each([
  ["is down", refused(503, "ServiceUnavailable")],
  ["was removed meanwhile", { status: 404, body: "404 page not found\n" }],
])("a group whose server %s is unavailable, and the other groups are returned", async (_, reply) => {
  const { found } = await discovered({ body: oldCore }, { body: oldGroups }, { body: coreResources }, reply);
  expect(found).toEqual({ kinds: [pods, nodes], unavailable: ["apps/v1"] });
});

test("a stale group and version is requested separately", async () => {
  const stale = aggregatedGroups("Stale");
  const { found, transport } = await discovered(
    { body: aggregatedCore },
    { body: stale },
    refused(503, "ServiceUnavailable"),
  );
  expect(found).toEqual({ kinds: [pods, nodes], unavailable: ["apps/v1"] });
  expect(transport.lines).toEqual(["GET /api", "GET /apis", "GET /apis/apps/v1"]);
});

test("any other failure is an error", async () => {
  const failing = discovered({ body: aggregatedCore }, refused(403, "Forbidden"));
  await expect(failing).rejects.toMatchObject({ code: 403 });
});
