import { gunzipSync } from "node:zlib";
import { ConfigMap } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

const known = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const inUnknownFormat = "the body of the request was in an unknown format - accepted media types include:";

scenario("a response has the best accepted content type", async ({ client, namespace, expect }) => {
  const ask = (accept: string) =>
    wire(client, `GET /api/v1/namespaces/${namespace}`, { headers: { accept } });
  const responses = await Promise.all(
    [
      "application/json",
      "*/*",
      "text/html, application/json;q=0.2",
      "application/json, */*;q=0.8",
      "application/yaml, application/json",
      "application/json;q=0.5, application/yaml",
    ].map(ask),
  );
  expect(responses.map(({ headers }) => headers["content-type"])).toEqual([
    "application/json",
    "application/json",
    "application/json",
    "application/json",
    "application/yaml",
    "application/yaml",
  ]);
});

scenario(
  "a request that accepts no supported type is 406, with the supported types",
  async ({ client, namespace, expect }) => {
    const ask = (accept: string) =>
      wire(client, `GET /api/v1/namespaces/${namespace}/configmaps/none`, { headers: { accept } });
    const refused = `406: Not Acceptable\n\nAvailable representations: ${known}`;
    const responses = await Promise.all(["text/html", "application/*"].map(ask));
    expect(responses.map(({ body }) => body)).toEqual(
      responses.map(() => ({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: refused,
        reason: "NotAcceptable",
        details: {},
        code: 406,
      })),
    );
  },
);

scenario("an accepted type with unknown parameters is refused", async ({ client, namespace, expect }) => {
  const headers = { accept: "application/json;as=Nothing;v=v1;g=meta.k8s.io" };
  const response = await wire(client, `GET /api/v1/namespaces/${namespace}`, { headers });
  expect(statusMessage(response)).toEqual([406, `only the following media types are accepted: ${known}`]);
});

scenario(
  "an error for a request that accepts no supported type is plain text",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps/none` as const;
    const ask = async (accept: string) => (await wire(client, `GET ${path}`, { headers: { accept } })).text;
    const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const [html = "", alone = "", also = ""] = await Promise.all(
      ["text/html", table, `${table},application/json`].map(ask),
    );
    expect([html, alone, also].map((text) => text.includes("\n "))).toEqual([true, true, false]);
    expect(JSON.parse(alone)).toEqual(JSON.parse(also));
  },
);

scenario("a watch is not available in YAML", async ({ client, namespace, expect }) => {
  const line = `GET /api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1` as const;
  const { status, text } = await wire(client, line, { headers: { accept: "application/yaml" } });
  expect(status).toBe(406);
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
  );
});

const asYaml = { accept: "application/yaml" };

scenario("an object in YAML has the values that it has in JSON", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const data = {
    yes: "on",
    n: "0o7",
    a1: "1_000",
    date: "2020-01-01",
    nil: "~",
    lines: "a\n  b\n\n",
    text: "a: #b",
  };
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a", labels: { b: "c", a: "1" } }, data } });
  const [yaml, json] = [
    await wire(client, `GET ${path}/a`, { headers: asYaml }),
    await wire(client, `GET ${path}/a`),
  ];
  expect([yaml.headers["content-type"], yaml.body]).toEqual(["application/yaml", json.body]);
  const missing = await wire(client, `GET ${path}/none`, { headers: asYaml });
  expect(missing.body).toEqual((await wire(client, `GET ${path}/none`)).body);
});

scenario("a list in YAML has the items that it has in JSON", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  for (const name of ["a", "b"]) await wire(client, `POST ${path}`, { body: { metadata: { name } } });
  const [yaml, json] = [
    await wire(client, `GET ${path}`, { headers: asYaml }),
    await wire(client, `GET ${path}`),
  ];
  const { items, ...rest } = json.body as { readonly items: unknown; readonly metadata: unknown };
  expect(yaml.body).toEqual({
    ...rest,
    items,
    metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
  });
});

scenario("bodies may be YAML", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const headers = { "content-type": "application/yaml" };
  const text = 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  one: "1"\n  two: |\n    2\n';
  const made = await wire(client, `POST ${path}`, { body: text, headers });
  expect([made.status, (made.body as ConfigMap).data]).toEqual([201, { one: "1", two: "2\n" }]);
  const put = await wire(client, `PUT ${path}/a`, {
    body: "metadata: {name: a}\ndata: {one: '2'}\n",
    headers,
  });
  expect([put.status, (put.body as ConfigMap).data]).toEqual([200, { one: "2" }]);
  const options = "kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Foreground\n";
  const deleted = await wire(client, `DELETE ${path}/a`, { body: options, headers });
  expect((deleted.body as ConfigMap).metadata.finalizers).toEqual(["foregroundDeletion"]);
});

scenario(
  "a body without a content type is JSON, and a content type may have parameters",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const send = (name: string, type: Record<string, string>) =>
      client.transport.send({
        method: "POST",
        path,
        headers: type,
        body: JSON.stringify({ metadata: { name } }),
      });
    const responses = await Promise.all([
      send("a", {}),
      send("b", { "content-type": "application/json; charset=utf-8" }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  },
);

scenario(
  "a body of an unsupported type is 415, with the supported types",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const text = { body: "a", headers: { "content-type": "text/plain" } };
    const responses = await Promise.all([
      wire(client, `POST ${path}`, text),
      wire(client, `PUT ${path}/a`, text),
      wire(client, `DELETE ${path}/a`, text),
    ]);
    expect(responses.map(statusMessage)).toEqual(responses.map(() => [415, `${inUnknownFormat} ${known}`]));
    expect(statusMessage(await wire(client, `PATCH ${path}/a`, text))).toEqual([
      415,
      "415: Unsupported Media Type",
    ]);
  },
);

scenario("a client that accepts protobuf or JSON gets JSON", async ({ client, namespace, expect }) => {
  const headers = { accept: "application/json, application/vnd.kubernetes.protobuf" };
  const response = await wire(client, `GET /api/v1/namespaces/${namespace}`, { headers });
  expect(masked((response.body as { kind: string }).kind)).toBe("Namespace");
});

scenario(
  "a long response is compressed for clients that accept gzip",
  async ({ client, cluster, namespace, expect }) => {
    const data = { long: "x".repeat(130 * 1024) };
    await client.create(ConfigMap, { metadata: { name: "long" }, data });
    await client.create(ConfigMap, { metadata: { name: "short" } });
    const existing = cluster.engine === "existing";
    await using wired = await connect({ kubeconfig: existing ? undefined : cluster.kubeconfig });
    const ask = async (name: string, encoding: string) => {
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
      const headers = { accept: "application/json", "accept-encoding": encoding };
      return wired.transport.send({ method: "GET", path, headers });
    };
    const long = await ask("long", "gzip");
    expect([long.headers["content-encoding"], long.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
    expect(JSON.parse(gunzipSync(long.body).toString()).data).toEqual(data);
    const others = await Promise.all([
      ask("short", "gzip"),
      ask("long", "gzip;q=1"),
      ask("long", "identity"),
    ]);
    expect(others.map(({ headers }) => headers["content-encoding"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  },
);
