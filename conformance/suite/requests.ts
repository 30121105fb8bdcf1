import { ConfigMap } from "trimtab/api/core/v1";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

const noSuchResource = "the server could not find the requested resource";
const noSuchMethod = "the server does not allow this method on the requested resource";

scenario(
  "a response has its content type, cache control and audit id",
  async ({ client, namespace, expect }) => {
    const { headers } = await wire(client, `GET /api/v1/namespaces/${namespace}/configmaps`);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["cache-control"]).toBe("no-cache, private");
    expect(headers["audit-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

scenario(
  "compact objects end with a newline, and indented ones do not",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const texts = await Promise.all(
      [`GET ${path}/a`, `GET ${path}`, `GET ${path}/none`, `GET ${path}/a?pretty=true`].map(
        async (line) => (await wire(client, line as "GET /")).text,
      ),
    );
    expect(texts.map((text) => text.slice(-2))).toEqual(["}\n", "}\n", "}\n", "\n}"]);
  },
);

scenario("browsers and requests with pretty get indented JSON", async ({ client, namespace, expect }) => {
  const line = `GET /api/v1/namespaces/${namespace}` as const;
  const responses = await Promise.all([
    wire(client, `${line}?pretty=true`),
    wire(client, `${line}?pretty=1`),
    wire(client, line, { headers: { "user-agent": "curl/8.0" } }),
    wire(client, line, { headers: { accept: "application/json;pretty=1" } }),
    wire(client, `${line}?pretty=false`, { headers: { "user-agent": "curl/8.0" } }),
  ]);
  expect(responses.map(({ text }) => text.startsWith('{\n  "kind": "Namespace",\n  '))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

scenario(
  "unknown resources, subresources and versions of a known group are 404 with a Status",
  async ({ client, namespace, expect }) => {
    const paths = [
      "/api/v1/nothings",
      "/api/v2/pods",
      "/apis/apps/v2/deployments",
      `/api/v1/namespaces/${namespace}/configmaps/a/nothing`,
      `/api/v1/namespaces/${namespace}/configmaps/a/status`,
      "/api/v1/configmaps/a",
      `/api/v1/namespaces/${namespace}/nodes`,
    ] as const;
    const responses = await Promise.all(paths.map((path) => wire(client, `GET ${path}`)));
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 404 };
    const body = { ...status, reason: "NotFound", message: noSuchResource, details: {} };
    expect(responses.map((response) => response.body)).toEqual(paths.map(() => body));
  },
);

scenario("an unknown group is 404 in plain text", async ({ client, expect }) => {
  const { status, headers, text } = await wire(client, "GET /apis/nothing.example/v1/things");
  expect([status, headers["content-type"], text]).toEqual([
    404,
    "text/plain; charset=utf-8",
    "404 page not found\n",
  ]);
});

scenario("an unsupported verb is 405", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const responses = await Promise.all([
    wire(client, `PUT ${path}`, { body: {} }),
    wire(client, `PATCH ${path}`, { body: {} }),
    wire(client, `POST ${path}/a`, { body: {} }),
    wire(client, "POST /api/v1/configmaps", { body: {} }),
    wire(client, "DELETE /api/v1/namespaces"),
    wire(client, "GET /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
  ]);
  expect(responses.map(statusMessage)).toEqual(responses.map(() => [405, noSuchMethod]));
  const heads = await Promise.all([wire(client, `HEAD ${path}`), wire(client, `HEAD ${path}/a`)]);
  expect(heads.map(({ status }) => status)).toEqual([405, 405]);
});

scenario("a watch parameter with a name is a get", async ({ client, namespace, expect }) => {
  const { kind } = (await wire(client, `GET /api/v1/namespaces/${namespace}?watch=1`)).body as {
    kind: string;
  };
  expect(kind).toBe("Namespace");
});

scenario("a body larger than three mebibytes is refused", async ({ client, namespace, expect }) => {
  const line = `POST /api/v1/namespaces/${namespace}/configmaps` as const;
  const response = await wire(client, line, { body: "x".repeat(3 * 1024 * 1024 + 1) });
  expect(response.body).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Request entity too large: limit is 3145728",
    reason: "RequestEntityTooLarge",
    code: 413,
  });
});

scenario("a timeout is a Go duration", async ({ client, namespace, expect }) => {
  const line = `GET /api/v1/namespaces/${namespace}?timeout=` as const;
  const good = await Promise.all(
    ["", "0", "10s", "7m46s", "1.5s", "99h"].map((text) => wire(client, `${line}${text}`)),
  );
  expect(good.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const bad = await Promise.all(["abc", "10", "10x"].map((text) => wire(client, `${line}${text}`)));
  const refused = "invalid timeout specified in the request URL - time:";
  expect(bad.map(statusMessage)).toEqual([
    [400, `${refused} invalid duration "abc"`],
    [400, `${refused} missing unit in duration "10"`],
    [400, `${refused} unknown unit "x" in duration "10x"`],
  ]);
});

scenario("a get with export is refused", async ({ client, namespace, expect }) => {
  expect(statusMessage(await wire(client, `GET /api/v1/namespaces/${namespace}?export=true`))).toEqual([
    400,
    "the export parameter, deprecated since v1.14, is no longer supported",
  ]);
});

scenario(
  "a query may be empty, start with an ampersand, and encode spaces as pluses",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    await client.create(ConfigMap, { metadata: { name: "a", labels: { t: "x" } } });
    const responses = await Promise.all([
      wire(client, `GET ${path}?`),
      wire(client, `GET ${path}?&limit=500`),
      wire(client, `GET ${path}?labelSelector=t+in+(x,+y)`),
    ]);
    const names = responses.map(({ body }) =>
      (body as { items: ConfigMap[] }).items.map((one) => one.metadata.name),
    );
    expect(names).toEqual([["a"], ["a"], ["a"]]);
  },
);

scenario("a content type without a body is ignored", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
  await client.create(ConfigMap, { metadata: { name: "a" } });
  const headers = { "content-type": "application/json" };
  const read = await wire(client, `GET ${path}`, { headers });
  const deleted = await wire(client, `DELETE ${path}`, { headers });
  expect([read.status, deleted.status]).toEqual([200, 200]);
});

scenario("the legacy watch path is a watch", async ({ client, namespace, expect }) => {
  const made = await client.create(ConfigMap, { metadata: { name: "a" } });
  const { text } = await wire(
    client,
    `GET /api/v1/watch/namespaces/${namespace}/configmaps?timeoutSeconds=1`,
  );
  expect(masked(JSON.parse(text))).toEqual({ type: "ADDED", object: masked(made) });
});
