import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** An object with `count` fields and list elements. Five of them are outside the list. */
const withValues = (count: number): string =>
  `{"metadata":{"name":"a"},"data":{"text":"[{,\\",{["},"x":[${Array(count - 5).fill(1)}]}`;

const types = {
  json: "application/json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
};

test.each([
  ["POST", configMaps, types.json],
  ["PUT", `${configMaps}/a`, types.json],
  ["PATCH", `${configMaps}/a`, types.merge],
  ["PATCH", `${configMaps}/a?fieldManager=m`, types.apply],
  ["DELETE", `${configMaps}/a`, types.json],
])(
  "%s %s of %s: a body of more than 30,000 fields and list elements is refused",
  async (method, path, type) => {
    using server = testServer();
    await server.object("POST", configMaps, { metadata: { name: "a" } });
    const send = (count: number) =>
      server.send(method, path, { body: withValues(count), headers: { "content-type": type } });
    expect((await send(30_000)).code).not.toBe(413);
    expect((await send(30_001)).body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Request entity too large: limit is 30000 fields and list elements",
      reason: "RequestEntityTooLarge",
      code: 413,
    });
  },
);

test("a CustomResourceDefinition may have 200,000 fields and list elements", async () => {
  using server = testServer();
  const send = (count: number) => server.send("POST", definitions, { body: withValues(count) });
  expect([(await send(200_000)).code, (await send(200_001)).code]).toEqual([422, 413]);
});

test("a JSON patch may have 50,000 fields and list elements", async () => {
  using server = testServer();
  await server.object("POST", configMaps, { metadata: { name: "a" } });
  const send = (count: number) =>
    server.send("PATCH", `${configMaps}/a`, {
      body: `[{"op":"add","path":"/data","value":[${Array(count - 4).fill(1)}]}]`,
      headers: { "content-type": "application/json-patch+json" },
    });
  expect([(await send(50_000)).code, (await send(50_001)).code]).toEqual([422, 413]);
});

test.each(["labelSelector", "fieldSelector"])(
  "a %s of more than 131,072 characters is refused",
  async (name) => {
    using server = testServer();
    const message = `Request entity too large: limit is 131072 characters of ${name}`;
    expect(await server.refusal("GET", `${configMaps}?${name}=${"a".repeat(131_073)}`)).toMatchObject({
      code: 413,
      message,
    });
  },
);
