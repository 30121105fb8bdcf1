import { expect, test } from "vitest";
import { read, visit } from "../discovery/path-requests.fixture.ts";
import { stable, widgets } from "../discovery/served.fixture.ts";
import { bodyBytes } from "../response-body.ts";

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Where the document of apps/v1 is, with and without its hash. */
async function apps(): Promise<{ readonly url: string; readonly hash: string }> {
  const { paths } = (await read("/openapi/v3")) as Index;
  const url = paths["apis/apps/v1"]?.serverRelativeURL ?? "";
  return { url, hash: url.replace(/^.*=/, "") };
}

test("the index names every version, every built-in group and the roots, as text", async () => {
  const resources = [...stable.filter(({ group }) => group === "" || group === "apps"), widgets()];
  const answer = await visit("/openapi/v3", { resources });
  expect(answer?.headers).toEqual({
    "cache-control": "no-cache, private",
    "content-type": "text/plain; charset=utf-8",
    "last-modified": "Mon, 16 Nov 2026 03:00:00 GMT",
  });
  const { paths } = JSON.parse(String(answer?.body)) as Index;
  expect(Object.keys(paths)).toEqual([
    "api",
    "api/v1",
    "apis",
    "apis/apps",
    "apis/apps/v1",
    "apis/zeta.example.dev/v1",
    "version",
  ]);
  expect(paths["apis/apps/v1"]?.serverRelativeURL).toMatch(
    /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/,
  );
});

test("a document by its hash may be kept for a year", async () => {
  const { url, hash } = await apps();
  const answer = await visit(url);
  expect(answer?.headers).toEqual({
    "cache-control": "public, immutable",
    "content-type": "application/json",
    etag: `"${hash}"`,
    expires: "Tue, 16 Nov 2027 03:00:00 UTC",
    vary: "Accept",
  });
  expect(JSON.parse(String(answer?.body))).toMatchObject({
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "1.36" },
  });
});

test("a document without a hash is asked for again each time", async () => {
  const { hash } = await apps();
  expect((await visit("/openapi/v3/apis/apps/v1"))?.headers).toEqual({
    "cache-control": "no-cache, private",
    "content-type": "application/json",
    etag: `"${hash}"`,
    vary: "Accept",
  });
});

test("another hash is sent on to the right one", async () => {
  const { url, hash } = await apps();
  expect(await visit("/openapi/v3/apis/apps/v1?hash=ABC")).toEqual({
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

test("who has the document is not sent it again", async () => {
  const { url, hash } = await apps();
  const headers = { "if-none-match": `"${hash}"` };
  expect(await visit("/openapi/v3/apis/apps/v1", { headers })).toEqual({
    type: "buffered",
    status: 304,
    headers: { "cache-control": "no-cache, private", etag: `"${hash}"`, vary: "Accept" },
    body: "",
  });
  expect(await visit(url, { headers })).toMatchObject({
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
])("%s for who accepts %s is answered %d", async (path, accept, status) => {
  const answer = await visit(path, { headers: { accept }, resources: [...stable, widgets()] });
  expect(answer?.status).toBe(status);
  if (status !== 200) expect(answer?.body).toBe("");
});

test("a custom kind changes the document of its own version and no other", async () => {
  const field = (name: string): object => ({ type: "object", properties: { [name]: { type: "string" } } });
  const indexes = await Promise.all(
    ["a", "b"].map((name) =>
      read("/openapi/v3", { resources: [...stable, widgets({ schema: field(name) })] }),
    ),
  );
  const [one, other] = indexes as [Index, Index];
  const changed = Object.keys(one.paths).filter(
    (path) => one.paths[path]?.serverRelativeURL !== other.paths[path]?.serverRelativeURL,
  );
  expect(changed).toEqual(["apis/zeta.example.dev/v1"]);
});

test("the older OpenAPI knows nothing, and says so in every form that kubectl asks for", async () => {
  expect(await read("/openapi/v2")).toEqual({
    swagger: "2.0",
    info: { title: "Kubernetes", version: "1.36" },
    paths: {},
    definitions: {},
  });
  const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  const answer = await visit("/openapi/v2", { headers: { accept } });
  expect(answer?.headers["content-type"]).toBe("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  expect(bodyBytes(answer?.body ?? "").toString("hex")).toBe(
    "0a03322e3012120a0a4b756265726e657465731204312e3336",
  );
  expect((await visit("/openapi/v2", { headers: { accept: "text/html" } }))?.status).toBe(406);
});
