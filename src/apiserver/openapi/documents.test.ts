import { expect, test } from "vitest";
import { stable, versionOf, widgets } from "../discovery/served.fixture.ts";
import type { Resource } from "../types/resource.ts";
import { versionDocument } from "./documents.ts";
import type { Operation, PathItem } from "./operation.ts";

interface Document {
  readonly info: object;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly securitySchemes?: object;
  };
}

function documentOf(groupVersion: string, resources: readonly Resource[] = stable): Document {
  return JSON.parse(versionDocument(versionOf(resources, groupVersion))) as Document;
}

function operations(paths: Document["paths"], part: string): string[] {
  const matching = Object.entries(paths).filter(([path]) => path.includes(part));
  return matching.flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries(methods as Record<string, Operation>).map(
      ([method, { operationId }]) => `${method} ${path} ${operationId}`,
    ),
  );
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

function contents(types: readonly string[], schema: string): object {
  return Object.fromEntries(types.map((type) => [type, { schema: ref(schema) }]));
}

const threeTypes = ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"];
const names = (parameters: PathItem["parameters"]): string[] => (parameters ?? []).map(({ name }) => name);

test("a built-in resource has the same paths as in kube-apiserver", () => {
  expect(operations(documentOf("apps/v1").paths, "deployments")).toEqual([
    "get /apis/apps/v1/deployments listAppsV1DeploymentForAllNamespaces",
    "get /apis/apps/v1/namespaces/{namespace}/deployments listAppsV1NamespacedDeployment",
    "post /apis/apps/v1/namespaces/{namespace}/deployments createAppsV1NamespacedDeployment",
    "delete /apis/apps/v1/namespaces/{namespace}/deployments deleteAppsV1CollectionNamespacedDeployment",
    "get /apis/apps/v1/namespaces/{namespace}/deployments/{name} readAppsV1NamespacedDeployment",
    "put /apis/apps/v1/namespaces/{namespace}/deployments/{name} replaceAppsV1NamespacedDeployment",
    "delete /apis/apps/v1/namespaces/{namespace}/deployments/{name} deleteAppsV1NamespacedDeployment",
    "patch /apis/apps/v1/namespaces/{namespace}/deployments/{name} patchAppsV1NamespacedDeployment",
    "get /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale readAppsV1NamespacedDeploymentScale",
    "put /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale replaceAppsV1NamespacedDeploymentScale",
    "patch /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale patchAppsV1NamespacedDeploymentScale",
    "get /apis/apps/v1/namespaces/{namespace}/deployments/{name}/status readAppsV1NamespacedDeploymentStatus",
    "put /apis/apps/v1/namespaces/{namespace}/deployments/{name}/status replaceAppsV1NamespacedDeploymentStatus",
    "patch /apis/apps/v1/namespaces/{namespace}/deployments/{name}/status patchAppsV1NamespacedDeploymentStatus",
    "get /apis/apps/v1/watch/deployments watchAppsV1DeploymentListForAllNamespaces",
    "get /apis/apps/v1/watch/namespaces/{namespace}/deployments watchAppsV1NamespacedDeploymentList",
    "get /apis/apps/v1/watch/namespaces/{namespace}/deployments/{name} watchAppsV1NamespacedDeployment",
  ]);
});

test("a patch has four media types, dryRun and force", () => {
  const { patch } =
    documentOf("apps/v1").paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"] ?? {};
  const patchTypes = [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ];
  const content = contents(threeTypes, "io.k8s.api.apps.v1.Deployment");
  const query = (name: string, type: string): object => ({
    name,
    in: "query",
    schema: { type, uniqueItems: true },
  });
  expect(patch).toEqual({
    tags: ["apps_v1"],
    operationId: "patchAppsV1NamespacedDeployment",
    parameters: [
      query("dryRun", "string"),
      query("fieldManager", "string"),
      query("fieldValidation", "string"),
      query("force", "boolean"),
    ],
    requestBody: { content: contents(patchTypes, `${meta}.Patch`), required: true },
    responses: {
      200: { description: "OK", content },
      201: { description: "Created", content },
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": { group: "apps", version: "v1", kind: "Deployment" },
  });
});

test("parameters that all methods of a path share belong to the path", () => {
  const { paths } = documentOf("v1");
  const eviction = paths["/api/v1/namespaces/{namespace}/pods/{name}/eviction"];
  expect(names(eviction?.parameters)).toEqual([
    "dryRun",
    "fieldManager",
    "fieldValidation",
    "name",
    "namespace",
    "pretty",
  ]);
  expect(eviction?.post?.parameters).toBeUndefined();
  expect(eviction?.post?.["x-kubernetes-group-version-kind"]).toEqual({
    group: "policy",
    version: "v1",
    kind: "Eviction",
  });
  expect(names(paths["/api/v1/namespaces"]?.parameters)).toEqual(["pretty"]);
  expect(names(paths["/api/v1/namespaces"]?.post?.parameters)).toEqual([
    "dryRun",
    "fieldManager",
    "fieldValidation",
  ]);
});

test("a path parameter is required", () => {
  const item = documentOf("v1").paths["/api/v1/nodes/{name}"];
  expect(item?.parameters?.[0]).toEqual({
    name: "name",
    in: "path",
    required: true,
    schema: { type: "string", uniqueItems: true },
  });
});

test("schemas have the list types and merge keys that patches and validation need", () => {
  const { schemas } = documentOf("apps/v1").components;
  expect(schemas["io.k8s.api.apps.v1.Deployment"]).toEqual({
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { allOf: [ref(`${meta}.ObjectMeta`)], default: {} },
      spec: { allOf: [ref("io.k8s.api.apps.v1.DeploymentSpec")], default: {} },
      status: { allOf: [ref("io.k8s.api.apps.v1.DeploymentStatus")], default: {} },
    },
    "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }],
  });
  expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"]).toMatchObject({
    required: ["selector", "template"],
    properties: { strategy: { "x-kubernetes-patch-strategy": "retainKeys" } },
  });
  expect(schemas["io.k8s.api.core.v1.PodSpec"]).toMatchObject({
    properties: {
      containers: {
        type: "array",
        items: { allOf: [ref("io.k8s.api.core.v1.Container")], default: {} },
        "x-kubernetes-list-map-keys": ["name"],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-patch-merge-key": "name",
        "x-kubernetes-patch-strategy": "merge",
      },
      volumes: { "x-kubernetes-patch-strategy": "merge,retainKeys" },
    },
  });
  expect(schemas["io.k8s.api.core.v1.ResourceRequirements"]).toMatchObject({
    properties: {
      limits: { type: "object", additionalProperties: ref("io.k8s.apimachinery.pkg.api.resource.Quantity") },
    },
  });
});

test.each([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
  [
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  ],
  [`${meta}.Time`, { type: "string", format: "date-time" }],
  [`${meta}.Patch`, { type: "object" }],
  [`${meta}.FieldsV1`, { type: "object" }],
])("%s has its OpenAPI type", (name, schema) => {
  expect(documentOf("apps/v1").components.schemas[name]).toEqual(schema);
});

test("a schema that every group has lists the kinds of the document and of the core group", () => {
  const kinds =
    documentOf("apps/v1").components.schemas[`${meta}.WatchEvent`]?.["x-kubernetes-group-version-kind"];
  expect(kinds).toEqual([
    { group: "", kind: "WatchEvent", version: "v1" },
    { group: "apps", kind: "WatchEvent", version: "v1" },
  ]);
});

test("every referenced schema is part of the document", () => {
  for (const groupVersion of ["v1", "apps/v1", "apiextensions.k8s.io/v1"]) {
    const text = versionDocument(versionOf(stable, groupVersion));
    const { schemas } = (JSON.parse(text) as Document).components;
    const missing = [...text.matchAll(/schemas\/([^"]+)"/g)].filter(([, name = ""]) => !(name in schemas));
    expect(missing).toEqual([]);
  }
});

test("a custom resource has the same paths as in kube-apiserver, and no deprecated watch paths", () => {
  const { info, paths, components } = documentOf("zeta.example.dev/v1", [...stable, widgets()]);
  expect(info).toEqual({ title: "Kubernetes CRD Swagger", version: "v0.1.0" });
  expect(components.securitySchemes).toBeUndefined();
  expect(operations(paths, "")).toEqual([
    "get /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets listZetaExampleDevV1NamespacedWidget",
    "post /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets createZetaExampleDevV1NamespacedWidget",
    "delete /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets deleteZetaExampleDevV1CollectionNamespacedWidget",
    "get /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name} readZetaExampleDevV1NamespacedWidget",
    "put /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name} replaceZetaExampleDevV1NamespacedWidget",
    "delete /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name} deleteZetaExampleDevV1NamespacedWidget",
    "patch /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name} patchZetaExampleDevV1NamespacedWidget",
    "get /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/scale readZetaExampleDevV1NamespacedWidgetScale",
    "put /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/scale replaceZetaExampleDevV1NamespacedWidgetScale",
    "patch /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/scale patchZetaExampleDevV1NamespacedWidgetScale",
    "get /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/status readZetaExampleDevV1NamespacedWidgetStatus",
    "put /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/status replaceZetaExampleDevV1NamespacedWidgetStatus",
    "patch /apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/status patchZetaExampleDevV1NamespacedWidgetStatus",
    "get /apis/zeta.example.dev/v1/widgets listZetaExampleDevV1WidgetForAllNamespaces",
  ]);
});

test("a custom resource has no strategic merge patch, and its scale has its own kind", () => {
  const { paths } = documentOf("zeta.example.dev/v1", [...stable, widgets()]);
  const patch = paths["/apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}/scale"]?.patch;
  const content = contents(["application/json", "application/yaml"], "io.k8s.api.autoscaling.v1.Scale");
  const patchTypes = [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
  ];
  expect(patch).toMatchObject({
    tags: ["zetaExampleDev_v1"],
    requestBody: { content: contents(patchTypes, `${meta}.Patch`), required: true },
    "x-kubernetes-group-version-kind": { group: "zeta.example.dev", version: "v1", kind: "Widget" },
  });
  expect(patch?.responses).toEqual({
    200: { description: "OK", content },
    401: { description: "Unauthorized" },
  });
});
