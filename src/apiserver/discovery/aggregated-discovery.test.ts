import { expect, test } from "vitest";
import { readJson, requestPath } from "./path-requests.fixture.ts";
import { stable, widgets } from "./served.fixture.ts";

const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const headers = { accept: type };

interface Discovered {
  readonly items: ReadonlyArray<{
    readonly metadata: object;
    readonly versions: ReadonlyArray<{ readonly resources: ReadonlyArray<{ readonly resource: string }> }>;
  }>;
}

test("the core group has no name, and its resources omit group and version", async () => {
  const { items, ...list } = (await readJson("/api", { headers })) as Discovered;
  expect(list).toEqual({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {} });
  expect(items.map(({ metadata }) => metadata)).toEqual([{}]);
  const kinds = items[0]?.versions[0]?.resources ?? [];
  expect(kinds.find(({ resource }) => resource === "serviceaccounts")).toEqual({
    resource: "serviceaccounts",
    responseKind: { group: "", version: "", kind: "ServiceAccount" },
    scope: "Namespaced",
    singularResource: "serviceaccount",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    shortNames: ["sa"],
    subresources: [
      {
        subresource: "token",
        responseKind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
        verbs: ["create"],
      },
    ],
  });
  expect(kinds.find(({ resource }) => resource === "componentstatuses")).toEqual({
    resource: "componentstatuses",
    responseKind: { group: "", version: "", kind: "ComponentStatus" },
    scope: "Cluster",
    singularResource: "componentstatus",
    verbs: ["get", "list"],
    shortNames: ["cs"],
  });
});

test("a custom resource states its group and version", async () => {
  const { items } = (await readJson("/apis", { headers, resources: [...stable, widgets()] })) as Discovered;
  const verbs = ["get", "patch", "update"];
  const responseKind = { group: "zeta.example.dev", version: "v1", kind: "Widget" };
  expect(items.at(-1)).toEqual({
    metadata: { name: "zeta.example.dev" },
    versions: [
      {
        version: "v1",
        resources: [
          {
            resource: "widgets",
            responseKind,
            scope: "Namespaced",
            singularResource: "widget",
            verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
            shortNames: ["wd", "wg"],
            categories: ["all", "gear"],
            subresources: [
              { subresource: "status", responseKind, verbs },
              {
                subresource: "scale",
                responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
                verbs,
              },
            ],
          },
        ],
        freshness: "Current",
      },
    ],
  });
});

test("the document has an ETag, and a client that has it gets 304", async () => {
  const first = await requestPath("/apis", { headers });
  const etag = String(first?.headers.etag);
  expect(first?.headers).toEqual({
    "cache-control": "public",
    "content-type": type,
    etag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
    vary: "Accept",
  });
  expect(await requestPath("/apis", { headers: { ...headers, "if-none-match": etag } })).toEqual({
    type: "buffered",
    status: 304,
    headers: { "cache-control": "public", etag, vary: "Accept" },
    body: "",
  });
});

test("adding a resource changes the ETag", async () => {
  const [before, again, after] = await Promise.all(
    [stable, stable, [...stable, widgets()]].map((resources) => requestPath("/apis", { headers, resources })),
  );
  expect(again?.headers.etag).toBe(before?.headers.etag);
  expect(after?.headers.etag).not.toBe(before?.headers.etag);
});

test.each([
  ["application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json", type],
  ["application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io", type],
  [
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json;q=0.9",
    "application/json",
  ],
  ["application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", type.replace("json", "yaml")],
  [`application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,${type}`, type],
  ["*/*", "application/json"],
])("Accept %s gets %s", async (accept, expected) => {
  for (const path of ["/api", "/apis"]) {
    expect((await requestPath(path, { headers: { accept } }))?.headers["content-type"]).toBe(expected);
  }
});
