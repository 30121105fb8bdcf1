import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";

interface Answer {
  readonly status: number;
  readonly type: unknown;
  readonly body: string;
}

async function ask({ transport }: Client, path: string): Promise<Answer> {
  const { status, headers, body } = await transport.send({ method: "GET", path });
  return { status, type: headers["content-type"], body: body.toString() };
}

scenario("the version is returned as JSON", async ({ client, expect }) => {
  const { status, type, body } = await ask(client, "/version");
  expect({ status, type }).toEqual({ status: 200, type: "application/json" });
  expect(JSON.parse(body)).toMatchObject({
    major: "1",
    minor: expect.stringMatching(/^\d+/),
    gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/),
    platform: expect.stringMatching(/^\w+\/\w+$/),
  });
});

for (const path of ["/healthz", "/livez", "/readyz"]) {
  scenario(`${path} returns ok in plain text`, async ({ client, expect }) => {
    expect(await ask(client, path)).toEqual({
      status: 200,
      type: "text/plain; charset=utf-8",
      body: "ok",
    });
  });
}

scenario("/readyz?verbose lists its checks and the result", async ({ client, expect }) => {
  const { status, body } = await ask(client, "/readyz?verbose");
  const lines = body.trimEnd().split("\n");
  expect({ status, first: lines[0], last: lines.at(-1) }).toEqual({
    status: 200,
    first: "[+]ping ok",
    last: "readyz check passed",
  });
});

scenario("an unknown path is 404 in plain text", async ({ client, expect }) => {
  expect(await ask(client, "/nothing")).toEqual({
    status: 404,
    type: "text/plain; charset=utf-8",
    body: "404 page not found\n",
  });
});

scenario("an object that does not exist is 404 with a Status", async ({ client, namespace, expect }) => {
  const { status, type, body } = await ask(client, `/api/v1/namespaces/${namespace}/configmaps/none`);
  expect({ status, type, body: JSON.parse(body) }).toEqual({
    status: 404,
    type: "application/json",
    body: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "none" not found',
      reason: "NotFound",
      details: { name: "none", kind: "configmaps" },
      code: 404,
    },
  });
});

scenario("a new namespace is active", async ({ client, namespace, expect }) => {
  const { body } = await ask(client, `/api/v1/namespaces/${namespace}`);
  const { spec, status } = JSON.parse(body);
  expect({ spec, status }).toEqual({ spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });
});

scenario("a watch with a timeout of a second ends after it", async ({ cluster, expect }) => {
  const { status, body } = await ask(
    cluster.client,
    "/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone",
  );
  expect({ status, body }).toEqual({ status: 200, body: "" });
});

scenario("the OpenID configuration names the issuer and the keys", async ({ client, expect }) => {
  const { status, type, body } = await ask(client, "/.well-known/openid-configuration");
  expect({ status, type, body: JSON.parse(body) }).toEqual({
    status: 200,
    type: "application/json",
    body: {
      issuer: "https://kubernetes.default.svc",
      jwks_uri: expect.stringMatching(/^https:\/\/[^/]+\/openid\/v1\/jwks$/),
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [expect.stringMatching(/^[RE]S256$/)],
    },
  });
});

scenario("the keys of the token issuer are public", async ({ client, expect }) => {
  const { status, type, body } = await ask(client, "/openid/v1/jwks");
  expect({ status, type }).toEqual({ status: 200, type: "application/jwk-set+json" });
  expect(JSON.parse(body).keys).toEqual([
    expect.objectContaining({
      use: "sig",
      kid: expect.any(String),
      alg: expect.stringMatching(/^[RE]S256$/),
    }),
  ]);
  expect((await ask(client, "/openid/v1/jwks/more")).status).toBe(404);
});
