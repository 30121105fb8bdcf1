import { ConfigMap } from "trimtab/api/core/v1";
import { badRequest } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Paths below a namespace. */
const nameless: ReadonlyArray<readonly [path: string, message: string]> = [
  ["configmaps/..", "Name parameter invalid: \"..\": may not be '..'"],
  ["configmaps/%2e%2e", "Name parameter invalid: \"..\": may not be '..'"],
  ["configmaps/.", "Name parameter invalid: \".\": may not be '.'"],
  ["configmaps/a%252Fb", "Name parameter invalid: \"a%2Fb\": may not contain '%'"],
  ["pods/../status", "Name parameter invalid: \"..\": may not be '..'"],
];

for (const [path, message] of nameless) {
  scenario(`${path} is an invalid name`, async ({ client, namespace, expect }) => {
    const response = await wire(client, `GET /api/v1/namespaces/${namespace}/${path}`);
    expect([response.status, response.body]).toEqual([400, badRequest(message)]);
  });
}

const missing = "the server could not find the requested resource";

/** Paths below a namespace. */
const nowhere: ReadonlyArray<readonly [path: string, message: string]> = [
  ["../default/configmaps", missing],
  ["/configmaps", missing],
  ["configmaps/a%2Fb", missing],
  ["configmaps/base/x/y/z", missing],
  ["constructor", missing],
  ["configmaps/a%00b", 'configmaps "a\\x00b" not found'],
  ["configmaps/%C3%A9", 'configmaps "é" not found'],
  ["configmaps/A_B", 'configmaps "A_B" not found'],
  ["configmaps/__proto__", 'configmaps "__proto__" not found'],
  ["configmaps/base;x=y", 'configmaps "base;x=y" not found'],
];

for (const [path, message] of nowhere) {
  scenario(`${path} is not found`, async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "base" } });
    const response = await wire(client, `GET /api/v1/namespaces/${namespace}/${path}`);
    expect([response.status, response.body]).toEqual([
      404,
      expect.objectContaining({ kind: "Status", reason: "NotFound", message }),
    ]);
  });
}

const unknown = [
  "/api/v1/../v1/namespaces",
  "/api/v1/./namespaces/default",
  "/api//v1/namespaces",
  "/api/v1/__proto__",
  "/api/v2/pods",
  "/apis/apps/__proto__/deployments",
  "/apis/apps/v2/deployments",
  "/apis/apps/v1/frobs",
] as const;

for (const path of unknown) {
  scenario(`${path} is not served`, async ({ client, expect }) => {
    const response = await wire(client, `GET ${path}`);
    expect([response.status, response.body]).toEqual([
      404,
      expect.objectContaining({ kind: "Status", reason: "NotFound", message: missing, details: {} }),
    ]);
  });
}

const pages = [
  ["//api/v1/namespaces", 404, "404 page not found\n"],
  ["/apis/__proto__/v1/x", 404, "404 page not found\n"],
  ["/apis/nosuch.example/v1/x", 404, "404 page not found\n"],
  ["/constructor", 404, "404 page not found\n"],
  ["/api/v1/namespaces/default/configmaps/%zz", 400, "400 Bad Request"],
  ["/api/v1/namespaces/default/configmaps/%", 400, "400 Bad Request"],
  [
    "/api/v1/watch",
    500,
    'Internal Server Error: "/api/v1/watch": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch\n',
  ],
] as const;

for (const [path, code, text] of pages) {
  scenario(`${path} returns a page of text`, async ({ client, expect }) => {
    const response = await wire(client, `GET ${path}`);
    expect([response.status, response.headers["content-type"], response.text]).toEqual([
      code,
      "text/plain; charset=utf-8",
      text,
    ]);
  });
}

for (const path of ["configmaps/base/", "configmaps/base//", "configmaps/base?", "configmaps/base?&&&"]) {
  scenario(`${path} returns an object`, async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "base" } });
    const response = await wire(client, `GET /api/v1/namespaces/${namespace}/${path}`);
    expect(response.body).toMatchObject({ kind: "ConfigMap", metadata: { name: "base" } });
  });
}

scenario("an escaped slash is a slash", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "base" } });
  const response = await wire(client, `GET /api/v1/namespaces/${namespace}%2Fconfigmaps/base`);
  expect(response.body).toMatchObject({ kind: "ConfigMap", metadata: { name: "base" } });
});

scenario("a name of five thousand characters is not found", async ({ client, namespace, expect }) => {
  const name = "x".repeat(5000);
  const response = await wire(client, `GET /api/v1/namespaces/${namespace}/configmaps/${name}`);
  expect(response.body).toMatchObject({ code: 404, message: `configmaps "${name}" not found` });
});
