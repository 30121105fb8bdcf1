import { expect, test } from "vitest";
import { type PathRequestOptions, readJson, requestPath } from "../discovery/path-requests.fixture.ts";
import { stable, widgets } from "../discovery/served.fixture.ts";
import { bodyBytes } from "../types/response-body.ts";

const kubectlType = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

async function documentOf(options: PathRequestOptions = {}): Promise<Document> {
  return (await readJson("/openapi/v2", options)) as Document;
}

test.each([
  ["*/*", "application/json"],
  ["application/json", "application/json"],
  [`text/html, ${kubectlType}`, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"],
  [
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
  ],
])("a client that accepts %s gets %s", async (accept, type) => {
  const response = await requestPath("/openapi/v2", { headers: { accept } });
  expect(response).toMatchObject({ status: 200, compressible: true });
  expect(response?.headers).toEqual({
    "cache-control": "no-cache, private",
    "content-type": type,
    etag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
    vary: ["Accept-Encoding", "Accept"],
  });
});

test("a client that accepts another type gets 406", async () => {
  const response = await requestPath("/openapi/v2", { headers: { accept: "application/yaml" } });
  expect([response?.status, response?.body]).toEqual([406, ""]);
});

test("both forms have one ETag, and a client that has it gets 304", async () => {
  const { etag } = (await requestPath("/openapi/v2"))?.headers ?? {};
  const headers = { accept: kubectlType, "if-none-match": String(etag) };
  expect(await requestPath("/openapi/v2", { headers })).toEqual({
    type: "buffered",
    status: 304,
    headers: { "cache-control": "no-cache, private", etag, vary: ["Accept-Encoding", "Accept"] },
    body: "",
  });
});

test("the document is made once for the same kinds, and again after they have changed", async () => {
  const first = await requestPath("/openapi/v2");
  expect((await requestPath("/openapi/v2"))?.body).toBe(first?.body);
  const changed = await documentOf({ resources: [...stable, widgets()] });
  const before = JSON.parse(String(first?.body)) as Document;
  const added = Object.keys(changed.definitions).filter((name) => !(name in before.definitions));
  expect(added).toEqual(["dev.example.zeta.v1.Widget", "dev.example.zeta.v1.WidgetList"]);
});

test("other work runs while the document is made", async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  await requestPath("/openapi/v2", { resources: [...stable, widgets({ version: "v2" })] });
  clearImmediate(turn);
  expect(turns).toBeGreaterThan(0);
});

test("a path has the media types and the parameters of its methods", async () => {
  const resources = [...stable, widgets()];
  const { paths } = await documentOf({ resources });
  const path = "/apis/zeta.example.dev/v1/namespaces/{namespace}/widgets/{name}";
  const types = ["application/json", "application/yaml"];
  const widget = { $ref: "#/definitions/dev.example.zeta.v1.Widget" };
  const query = (name: string, type = "string"): object => ({ name, in: "query", type, uniqueItems: true });
  expect((paths[path] as { patch: object }).patch).toEqual({
    consumes: ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"],
    produces: types,
    schemes: ["https"],
    tags: ["zetaExampleDev_v1"],
    operationId: "patchZetaExampleDevV1NamespacedWidget",
    parameters: [
      {
        name: "body",
        in: "body",
        required: true,
        schema: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch" },
      },
      query("dryRun"),
      query("fieldManager"),
      query("fieldValidation"),
      query("force", "boolean"),
    ],
    responses: { 200: { description: "OK", schema: widget }, 401: { description: "Unauthorized" } },
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": { group: "zeta.example.dev", version: "v1", kind: "Widget" },
  });
});

test("the protobuf form has the fields of the JSON form", async () => {
  const response = await requestPath("/openapi/v2", { headers: { accept: kubectlType }, resources: [] });
  const bytes = bodyBytes(response?.body ?? "");
  expect(bytes.subarray(0, 25).toString("hex")).toBe("0a03322e3012120a0a4b756265726e657465731204312e3336");
});
