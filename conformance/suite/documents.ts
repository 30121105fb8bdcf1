import type { Client } from "trimtab/client";
import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: `/${string}` } | undefined>>;
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> | undefined>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

interface Schema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly "x-kubernetes-group-version-kind"?: unknown;
}

async function indexOf(client: Client): Promise<Index> {
  return (await wire(client, "GET /openapi/v3")).body as Index;
}

async function urlOf(client: Client, path: string): Promise<`/${string}`> {
  const url = (await indexOf(client)).paths[path]?.serverRelativeURL;
  if (!url) throw new Error(`expected a document of ${path}, got none`);
  return url;
}

scenario("every group and version has an OpenAPI document", async ({ client, expect }) => {
  const { paths } = await indexOf(client);
  for (const path of ["api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "apis/batch/v1", "version"]) {
    expect(paths[path]?.serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]+$`));
  }
});

/** Documents of paths that have one method and no parameters. */
const plainDocuments: ReadonlyArray<readonly [path: string, tag: string, id: string, type: string]> = [
  [
    ".well-known/openid-configuration",
    "WellKnown",
    "getServiceAccountIssuerOpenIDConfiguration",
    "application/json",
  ],
  ["openid/v1/jwks", "openid", "getServiceAccountIssuerOpenIDKeyset", "application/jwk-set+json"],
];

scenario("the keys of service accounts have OpenAPI documents", async ({ client, expect }) => {
  for (const [path, tag, operationId, type] of plainDocuments) {
    const { body } = await wire(client, `GET ${await urlOf(client, path)}`);
    const content = { [type]: { schema: { type: "string" } } };
    const responses = { 200: { description: "OK", content }, 401: { description: "Unauthorized" } };
    expect(body).toMatchObject({
      paths: { [`/${path}/`]: { get: { tags: [tag], operationId, responses } } },
    });
    expect(Object.keys((body as Document).components)).toEqual(["securitySchemes"]);
  }
});

scenario(
  "a list of OpenAPI documents has no others than those of paths and groups",
  async ({ client, expect }) => {
    const { paths } = await indexOf(client);
    const others = Object.keys(paths).filter((path) => !/^apis?(\/|$)/.test(path));
    expect(others.sort()).toEqual([...plainDocuments.map(([path]) => path), "version"].sort());
  },
);

scenario("a document with its hash is immutable, and another hash redirects", async ({ client, expect }) => {
  const url = await urlOf(client, "apis/apps/v1");
  const { status, headers } = await wire(client, `GET ${url}`);
  const etag = String(headers.etag);
  expect({ status, etag, vary: headers.vary, cache: headers["cache-control"] }).toEqual({
    status: 200,
    etag: `"${url.split("=").at(-1)}"`,
    vary: "Accept",
    cache: "public, immutable",
  });
  const again = await wire(client, `GET ${url}`, { headers: { "if-none-match": etag } });
  expect([again.status, again.text]).toEqual([304, ""]);
  const old = await wire(client, "GET /openapi/v3/apis/apps/v1?hash=OLD");
  expect([old.status, old.headers.location]).toEqual([301, url]);
});

scenario("a missing document, or an unsupported type of one, is an error", async ({ client, expect }) => {
  const html = { headers: { accept: "text/html" } };
  expect((await wire(client, "GET /openapi/v3/apis/apps/v1", html)).status).toBe(406);
  expect((await wire(client, "GET /openapi/v3/apis/none/v1")).status).toBe(404);
});

scenario("the OpenAPI document of a group describes patches and kinds", async ({ client, expect }) => {
  const document = (await wire(client, `GET ${await urlOf(client, "apis/apps/v1")}`)).body as Document;
  expect(document.openapi).toBe("3.0.0");
  const item = document.paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  expect(Object.keys(item ?? {}).sort()).toEqual(["delete", "get", "parameters", "patch", "put"]);
  const patch = item?.patch;
  expect(Object.keys(patch?.requestBody?.content ?? {}).sort()).toEqual([
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]);
  expect(patch?.parameters?.map(({ name }) => name)).toEqual([
    "dryRun",
    "fieldManager",
    "fieldValidation",
    "force",
  ]);
  expect(patch).toMatchObject({
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": { group: "apps", version: "v1", kind: "Deployment" },
  });
  const { schemas } = document.components;
  expect(schemas["io.k8s.api.apps.v1.Deployment"]?.["x-kubernetes-group-version-kind"]).toEqual([
    { group: "apps", kind: "Deployment", version: "v1" },
  ]);
  expect(schemas["io.k8s.api.core.v1.PodSpec"]?.properties?.containers).toMatchObject({
    type: "array",
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-list-type": "map",
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge",
  });
});

scenario("the OpenAPI document of a custom kind has its schema", async (stage) => {
  const { client, namespace, expect } = stage;
  const tags = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
  const spec = { tags, size: { type: "integer", description: "how large" } };
  await using made = await things(stage, [version("v1", spec, { subresources: { status: {} } })]);
  const path = `apis/${made.group}/v1`;
  await expect
    .poll(async () => (await indexOf(client)).paths[path] !== undefined, { timeout: 20_000 })
    .toBe(true);
  const document = (await wire(client, `GET ${await urlOf(client, path)}`)).body as Document;
  const name = `dev.example.${namespace}.v1.Thing`;
  expect(Object.keys(document.components.schemas).filter((one) => !one.startsWith("io.k8s."))).toEqual([
    name,
    `${name}List`,
  ]);
  expect(document.components.schemas[name]).toMatchObject({
    type: "object",
    properties: { spec: { type: "object", properties: spec } },
    "x-kubernetes-group-version-kind": [{ group: made.group, kind: "Thing", version: "v1" }],
  });
  const local = `/${path}/namespaces/{namespace}/things`;
  expect(Object.keys(document.paths).sort()).toEqual([
    local,
    `${local}/{name}`,
    `${local}/{name}/status`,
    `/${path}/things`,
  ]);
  expect(Object.keys(document.paths[`${local}/{name}`]?.patch?.requestBody?.content ?? {}).sort()).toEqual([
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
  ]);
});

scenario("aggregated discovery has an ETag that changes with its content", async (stage) => {
  const { client, expect } = stage;
  const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const accept = `${type},application/json`;
  const first = await wire(client, "GET /api", { headers: { accept } });
  const { etag = "", vary, "cache-control": cache, "content-type": told } = first.headers;
  expect({ told, vary, cache }).toEqual({ told: type, vary: "Accept", cache: "public" });
  const again = await wire(client, "GET /api", { headers: { accept, "if-none-match": String(etag) } });
  expect([again.status, again.text]).toEqual([304, ""]);
  const [core] = (
    first.body as { items: Array<{ metadata: object; versions: Array<{ freshness: string }> }> }
  ).items;
  expect([core?.metadata, core?.versions.map(({ freshness }) => freshness)]).toEqual([{}, ["Current"]]);
});

scenario("an unknown discovery type falls back to legacy discovery", async ({ client, expect }) => {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList";
  const old = await wire(client, "GET /apis", { headers: { accept: `${accept},application/json` } });
  expect([(old.body as { kind: string }).kind, old.headers["content-type"]]).toEqual([
    "APIGroupList",
    "application/json",
  ]);
  expect((await wire(client, "GET /apis", { headers: { accept } })).status).toBe(406);
});

scenario("discovery lists subresources with the kind of their body", async ({ client, expect }) => {
  const { resources } = (await wire(client, "GET /apis/apps/v1")).body as {
    resources: Array<{ name: string }>;
  };
  const of = (name: string) => resources.find((one) => one.name === name);
  expect(of("deployments")).toMatchObject({
    singularName: "deployment",
    namespaced: true,
    kind: "Deployment",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    shortNames: ["deploy"],
    categories: ["all"],
  });
  expect(of("deployments/scale")).toEqual({
    name: "deployments/scale",
    singularName: "",
    namespaced: true,
    group: "autoscaling",
    version: "v1",
    kind: "Scale",
    verbs: ["get", "patch", "update"],
  });
});

scenario("health checks can be requested one by one, or excluded", async ({ client, expect }) => {
  const messageOf = async (path: `/${string}`) => {
    const { status, text } = await wire(client, `GET ${path}`);
    return [status, text];
  };
  expect(await messageOf("/livez/ping")).toEqual([200, "ok"]);
  expect(await messageOf("/readyz/nothing")).toEqual([404, "404 page not found\n"]);
  expect(await messageOf("/livez?exclude=ping")).toEqual([200, "ok"]);
  const [, verbose] = await messageOf("/livez?verbose&exclude=ping");
  expect(String(verbose).split("\n")[0]).toBe("[+]ping excluded: ok");
});

scenario("the root lists the paths", async ({ client, expect }) => {
  const { paths } = (await wire(client, "GET /")).body as { paths: string[] };
  for (const path of [
    "/api",
    "/api/v1",
    "/apis",
    "/apis/apps/v1",
    "/healthz",
    "/openapi/v3",
    "/readyz",
    "/version",
  ]) {
    expect(paths).toContain(path);
  }
});
