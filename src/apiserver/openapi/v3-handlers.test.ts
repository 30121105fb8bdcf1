import { expect, test } from "vitest";
import { readJson, requestPath } from "../discovery/path-requests.fixture.ts";
import { stable, widgets } from "../discovery/served.fixture.ts";

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Returns the URL and the hash of the document of apps/v1. */
async function apps(): Promise<{ readonly url: string; readonly hash: string }> {
  const { paths } = (await readJson("/openapi/v3")) as Index;
  const url = paths["apis/apps/v1"]?.serverRelativeURL ?? "";
  return { url, hash: url.replace(/^.*=/, "") };
}

test("the index lists every version, every built-in group and the roots, as text", async () => {
  const resources = [...stable.filter(({ group }) => group === "" || group === "apps"), widgets()];
  const response = await requestPath("/openapi/v3", { resources });
  expect(response?.headers).toEqual({
    "cache-control": "no-cache, private",
    "content-type": "text/plain; charset=utf-8",
    "last-modified": "Mon, 16 Nov 2026 03:00:00 GMT",
  });
  const { paths } = JSON.parse(String(response?.body)) as Index;
  expect(Object.keys(paths)).toEqual([
    ".well-known/openid-configuration",
    "api",
    "api/v1",
    "apis",
    "apis/apps",
    "apis/apps/v1",
    "apis/zeta.example.dev/v1",
    "openid/v1/jwks",
    "version",
  ]);
  expect(paths["apis/apps/v1"]?.serverRelativeURL).toMatch(
    /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/,
  );
});

test("a document requested with its hash may be cached for a year", async () => {
  const { url, hash } = await apps();
  const response = await requestPath(url);
  expect(response?.headers).toEqual({
    "cache-control": "public, immutable",
    "content-type": "application/json",
    etag: `"${hash}"`,
    expires: "Tue, 16 Nov 2027 03:00:00 UTC",
    vary: "Accept",
  });
  expect(JSON.parse(String(response?.body))).toMatchObject({
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "1.36" },
  });
});

test("a document requested without a hash must not be cached", async () => {
  const { hash } = await apps();
  expect((await requestPath("/openapi/v3/apis/apps/v1"))?.headers).toEqual({
    "cache-control": "no-cache, private",
    "content-type": "application/json",
    etag: `"${hash}"`,
    vary: "Accept",
  });
});

test("another hash is redirected to the current one", async () => {
  const { url, hash } = await apps();
  expect(await requestPath("/openapi/v3/apis/apps/v1?hash=ABC")).toEqual({
    type: "buffered",
    status: 301,
    headers: {
      "cache-control": "no-cache, private",
      "content-type": "application/json",
      etag: `"${hash}"`,
      location: url,
      vary: "Accept",
    },
    body: "",
  });
});

test("a client that has the document gets 304", async () => {
  const { url, hash } = await apps();
  const headers = { "if-none-match": `"${hash}"` };
  expect(await requestPath("/openapi/v3/apis/apps/v1", { headers })).toEqual({
    type: "buffered",
    status: 304,
    headers: { "cache-control": "no-cache, private", etag: `"${hash}"`, vary: "Accept" },
    body: "",
  });
  expect(await requestPath(url, { headers })).toMatchObject({
    status: 304,
    headers: { "cache-control": "public, immutable" },
  });
});

test.each([
  ["/openapi/v3/nope", "*/*", 404],
  ["/openapi/v3/", "*/*", 404],
  ["/openapi/v3/apis/zeta.example.dev", "*/*", 404],
  ["/openapi/v3/apis/apps/v1", "text/html", 406],
  ["/openapi/v3/apis/apps/v1", "application/yaml", 406],
  ["/openapi/v3/apis/apps/v1", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf", 406],
  [
    "/openapi/v3/apis/apps/v1",
    "application/com.github.proto-openapi.spec.v3@v1.0+protobuf, application/json",
    200,
  ],
  ["/openapi/v3/apis/apps", "application/json", 200],
  ["/openapi/v3/version", "application/json", 200],
])("%s with Accept %s returns %d", async (path, accept, status) => {
  const response = await requestPath(path, { headers: { accept }, resources: [...stable, widgets()] });
  expect(response?.status).toBe(status);
  if (status !== 200) expect(response?.body).toBe("");
});

test("a custom resource changes the document of its own version only", async () => {
  const field = (name: string): object => ({ type: "object", properties: { [name]: { type: "string" } } });
  const indexes = await Promise.all(
    ["a", "b"].map((name) =>
      readJson("/openapi/v3", { resources: [...stable, widgets({ schema: field(name) })] }),
    ),
  );
  const [one, other] = indexes as [Index, Index];
  const changed = Object.keys(one.paths).filter(
    (path) => one.paths[path]?.serverRelativeURL !== other.paths[path]?.serverRelativeURL,
  );
  expect(changed).toEqual(["apis/zeta.example.dev/v1"]);
});
