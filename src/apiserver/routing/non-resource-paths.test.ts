import { expect, test } from "vitest";
import { builtinResources } from "../builtin-resources.ts";
import { readJson, requestPath } from "../discovery/path-requests.fixture.ts";
import { stable, widgets } from "../discovery/served.fixture.ts";

const resources = [...stable, widgets()];

test.each([
  "/api/v1/pods",
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/namespaces/default/deployments",
  "/nope",
  "/healthzz",
  "/openapi",
  "/apis//",
  "//api",
])("%s is not a non-resource path", async (path) => {
  expect(await requestPath(`http://server${path}`)).toBeUndefined();
});

test.each(["/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1", "/version"])(
  "%s and the same path with a trailing slash are equal",
  async (path) => {
    expect(await requestPath(`${path}/`)).toEqual(await requestPath(path));
  },
);

const notFound = {
  type: "buffered",
  status: 404,
  headers: {
    "cache-control": "no-cache, private",
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  },
  body: "404 page not found\n",
};

test.each([
  "/apis/nope",
  "/apis/nope/v1",
  "/apis/zeta.example.dev/v9",
  "/healthz/",
  "/readyz/nope",
  "/metrics",
])("%s is not found", async (path) => {
  expect(await requestPath(path, { resources })).toEqual(notFound);
});

test.each(["/apis/apps/v9", "/api/v2"])("%s is an unknown version of a built-in group", async (path) => {
  await expect(requestPath(path)).rejects.toMatchObject({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
});

test("a version of a built-in group that is not served is not found, although the release has it", async () => {
  const requests = ["v1beta1", "v1"].map((version) =>
    requestPath(`/apis/networking.k8s.io/${version}`, everything),
  );
  await expect(requests[0]).rejects.toMatchObject({ code: 404 });
  expect((await requests[1])?.status).toBe(200);
});

const everything = { resources: builtinResources() };

test.each(["/api", "/api/v1", "/apis/apps/v1", "/version"])("%s accepts GET only", async (path) => {
  await expect(requestPath(path, { method: "POST" })).rejects.toMatchObject({
    code: 405,
    message: "the server does not allow this method on the requested resource",
  });
});

test.each(["/apis", "/apis/apps", "/apis/zeta.example.dev/v1", "/healthz", "/"])(
  "%s accepts any method",
  async (path) => {
    expect(await requestPath(path, { method: "POST", resources })).toEqual(
      await requestPath(path, { resources }),
    );
  },
);

const mediaTypes = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const onlyThese = `only the following media types are accepted: ${mediaTypes}`;
const available = "406: Not Acceptable\n\nAvailable representations: ";

test.each([
  ["/api", "text/html", `${available}${mediaTypes}`],
  ["/apis/apps/v1", "application/*", `${available}${mediaTypes}`],
  ["/version", "application/yaml", `${available}application/json`],
  ["/apis", "text/html", onlyThese],
  ["/apis/apps", "text/html", onlyThese],
  ["/apis/zeta.example.dev/v1", "text/html", onlyThese],
  ["/apis/apps/v1", "application/json;as=Table;v=v1;g=meta.k8s.io", onlyThese],
  ["/api", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", onlyThese],
])("%s cannot serve Accept %s", async (path, accept, message) => {
  await expect(requestPath(path, { headers: { accept }, resources })).rejects.toMatchObject({
    code: 406,
    reason: "NotAcceptable",
    message,
  });
});

test("JSON is compact for programs and indented for browsers and curl", async () => {
  const compact = await requestPath("/apis/apps");
  const indented = await requestPath("/apis/apps", { headers: { "user-agent": "curl/8" } });
  expect(compact?.headers["content-type"]).toBe("application/json");
  expect(String(compact?.body)).toMatch(/^\{"kind":"APIGroup".*\}\n$/);
  expect(String(indented?.body)).toMatch(/^\{\n {2}"kind": "APIGroup",\n/);
  expect(String(indented?.body).endsWith("}")).toBe(true);
});

test("discovery is served as YAML", async () => {
  const response = await requestPath("/apis/apps", { headers: { accept: "application/yaml" } });
  expect(response?.headers["content-type"]).toBe("application/yaml");
  expect(response?.body).toBe(
    [
      "kind: APIGroup",
      "apiVersion: v1",
      "name: apps",
      "versions:",
      "- groupVersion: apps/v1",
      "  version: v1",
      "preferredVersion:",
      "  groupVersion: apps/v1",
      "  version: v1",
      "",
    ].join("\n"),
  );
});

test("the version is that of the pinned release, and always indented", async () => {
  const { body } = (await requestPath("/version")) ?? {};
  expect(String(body)).toMatch(/^\{\n {2}"major": "1",\n {2}"minor": "36",\n/);
  expect(JSON.parse(String(body))).toEqual({
    major: "1",
    minor: "36",
    emulationMajor: "1",
    emulationMinor: "36",
    minCompatibilityMajor: "1",
    minCompatibilityMinor: "35",
    gitVersion: "v1.36.3+trimtab",
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: expect.stringMatching(/^\w+\/\w+$/),
  });
});

test("the root lists all paths", async () => {
  const { paths } = (await readJson("/", { resources, context: { metrics: () => "" } })) as {
    readonly paths: string[];
  };
  expect(paths).toEqual([...paths].sort());
  expect(paths).toEqual(
    expect.arrayContaining([
      "/api",
      "/api/v1",
      "/apis",
      "/apis/",
      "/apis/apps",
      "/apis/apps/v1",
      "/apis/zeta.example.dev",
      "/apis/zeta.example.dev/v1",
      "/healthz",
      "/healthz/ping",
      "/livez",
      "/metrics",
      "/openapi/v3",
      "/readyz/ping",
      "/version",
    ]),
  );
});

test("/metrics serves the metrics of the server", async () => {
  const response = await requestPath("/metrics", { context: { metrics: () => "requests_total 1\n" } });
  expect(response?.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response?.body).toBe("requests_total 1\n");
});
