import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly "x-kubernetes-group-version-kind"?: readonly Kind[];
}

interface Document {
  readonly swagger: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>> | undefined>>;
  readonly definitions: Readonly<Record<string, Schema | undefined>>;
}

const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

scenario("OpenAPI 2.0 defines every kind and its fields", async ({ client, expect }) => {
  const { definitions, swagger } = (await wire(client, "GET /openapi/v2")).body as Document;
  expect(swagger).toBe("2.0");
  const kindsOf = (name: string) => definitions[name]?.["x-kubernetes-group-version-kind"];
  expect(kindsOf("io.k8s.api.apps.v1.Deployment")).toEqual([
    { group: "apps", kind: "Deployment", version: "v1" },
  ]);
  const options = kindsOf("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
  expect(options).toContainEqual({ group: "apps", kind: "DeleteOptions", version: "v1" });
  const spec = definitions["io.k8s.api.core.v1.PodSpec"]?.properties;
  expect(spec?.containers).toMatchObject({
    type: "array",
    items: { $ref: "#/definitions/io.k8s.api.core.v1.Container" },
    "x-kubernetes-patch-merge-key": "name",
  });
  expect(spec?.restartPolicy).toMatchObject({ type: "string", enum: ["Always", "Never", "OnFailure"] });
  const template = definitions["io.k8s.api.apps.v1.DeploymentSpec"]?.properties?.template;
  expect(template).toMatchObject({ $ref: "#/definitions/io.k8s.api.core.v1.PodTemplateSpec" });
});

scenario("OpenAPI 2.0 describes the methods of a path", async ({ client, expect }) => {
  const { paths } = (await wire(client, "GET /openapi/v2")).body as Document;
  const item = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  expect(Object.keys(item ?? {}).sort()).toEqual(["delete", "get", "parameters", "patch", "put"]);
  const { consumes = [], ...patch } = (item?.patch ?? {}) as { readonly consumes?: readonly string[] };
  expect(consumes.toSorted()).toEqual([
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]);
  expect(patch).toMatchObject({
    operationId: "patchAppsV1NamespacedDeployment",
    schemes: ["https"],
    "x-kubernetes-group-version-kind": { group: "apps", kind: "Deployment", version: "v1" },
  });
});

scenario("OpenAPI 2.0 has the fields of a custom kind, without what it cannot express", async (stage) => {
  const { client, namespace, expect } = stage;
  const spec = {
    size: { type: "integer", format: "int32", default: 1, minimum: 0 },
    text: { type: "string", nullable: true, enum: ["a"] },
    port: { "x-kubernetes-int-or-string": true },
    free: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { a: { type: "string" } },
    },
    one: { type: "object", oneOf: [{ required: ["a"] }], properties: { a: { type: "string" } } },
    labels: { type: "object", additionalProperties: { type: "string", nullable: true } },
    list: { type: "array", nullable: true, items: { type: "string" } },
  };
  await using made = await things(stage, [version("v1", spec)]);
  const name = `dev.example.${namespace}.v1.Thing`;
  const read = async () => ((await wire(client, "GET /openapi/v2")).body as Document).definitions[name];
  await expect.poll(async () => (await read()) !== undefined, { timeout: 20_000 }).toBe(true);
  const { properties, ...definition } = (await read()) ?? {};
  expect(definition).toEqual({
    type: "object",
    "x-kubernetes-group-version-kind": [{ group: made.group, kind: "Thing", version: "v1" }],
  });
  expect(properties?.spec).toMatchObject({
    type: "object",
    properties: {
      size: { type: "integer", format: "int32", minimum: 0 },
      text: { enum: ["a"] },
      port: { "x-kubernetes-int-or-string": true },
      free: { "x-kubernetes-preserve-unknown-fields": true },
      one: { type: "object", properties: { a: { type: "string" } } },
      labels: { type: "object", additionalProperties: {} },
      list: {},
    },
  });
  const published = JSON.stringify(properties?.spec);
  for (const word of ["default", "nullable", "oneOf"]) expect(published).not.toContain(word);
});

scenario("OpenAPI 2.0 is served as protobuf and JSON with one ETag", async ({ client, expect }) => {
  const responses = await Promise.all(
    ["application/json", protobuf, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"].map(
      (accept) => wire(client, "GET /openapi/v2", { headers: { accept } }),
    ),
  );
  expect(responses.map(({ headers }) => headers["content-type"])).toEqual([
    "application/json",
    protobuf,
    protobuf,
  ]);
  // Field 1 of the document is its version, field 2 its title and release.
  expect(responses[1]?.text.slice(0, 5)).toBe("\n\u00032.0");
  expect(responses[1]?.text).toContain("io.k8s.api.apps.v1.Deployment");
  const refused = await wire(client, "GET /openapi/v2", { headers: { accept: "text/html" } });
  expect([refused.status, refused.text]).toEqual([406, ""]);
});
