import { ConfigMap } from "trimtab/api/core/v1";
import { badRequest } from "../bad-request.ts";
import { things, version } from "../defined.ts";
import { masked } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

const longText = "x".repeat(3 * 1024 * 1024);
const tooLarge = [
  ["POST", "", "application/json", `{"metadata":{"name":"b"},"data":{"a":"${longText}"}}`],
  ["PUT", "/a", "application/json", `{"metadata":{"name":"a"},"data":{"a":"${longText}"}}`],
  ["PATCH", "/a", "application/merge-patch+json", `{"data":{"a":"${longText}"}}`],
  [
    "PATCH",
    "/a?fieldManager=m",
    "application/apply-patch+yaml",
    `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"${longText}"}}`,
  ],
  ["DELETE", "/a", "application/json", `{"x":"${longText}"}`],
] as const;

for (const [method, place, type, body] of tooLarge) {
  scenario(`${method} of more than three mebibytes of ${type} is refused`, async (stage) => {
    const { client, namespace, expect } = stage;
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps${place}` as const;
    const response = await wire(client, `${method} ${path}`, { body, headers: { "content-type": type } });
    expect([response.status, response.body]).toEqual([
      413,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Request entity too large: limit is 3145728",
        reason: "RequestEntityTooLarge",
        code: 413,
      },
    ]);
  });
}

scenario("annotations of more than 256 KiB are refused", async ({ client, namespace, expect }) => {
  const body = { metadata: { name: "a", annotations: { a: "x".repeat(262_145) } } };
  const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body });
  const message = "Too long: may not be more than 262144 bytes";
  expect(response.body).toMatchObject({
    code: 422,
    message: `ConfigMap "a" is invalid: metadata.annotations: ${message}`,
    details: { causes: [{ reason: "FieldValueTooLong", message, field: "metadata.annotations" }] },
  });
});

scenario("data of more than a mebibyte is refused", async ({ client, namespace, expect }) => {
  const body = { metadata: { name: "a" }, data: { a: "x".repeat(1_048_577) } };
  const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body });
  const message = "Too long: may not be more than 1048576 bytes";
  expect(response.body).toMatchObject({
    code: 422,
    message: `ConfigMap "a" is invalid: []: ${message}`,
    details: { causes: [{ reason: "FieldValueTooLong", message, field: "[]" }] },
  });
});

scenario("an object that is too large for etcd is refused", async (stage) => {
  await using kind = await things(stage, [version("v1", { text: { type: "string" } })]);
  const { client, expect } = stage;
  const sized = (name: string, length: number) => kind.thing(name, { text: "x".repeat(length) });
  const stored = await wire(client, `POST ${kind.path("v1")}`, { body: sized("a", 1_570_000) });
  const refused = await wire(client, `POST ${kind.path("v1")}`, { body: sized("b", 1_580_000) });
  const updated = await wire(client, `PATCH ${kind.path("v1")}/a`, {
    body: { spec: { text: "y".repeat(1_580_000) } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "etcdserver: request is too large",
    code: 500,
  };
  expect([stored.status, refused.body, updated.body]).toEqual([201, status, status]);
});

const numbers = ["1e400", "99999999999999999999", "9".repeat(400), "2147483648", "1.5", "1e2"];

for (const number of numbers) {
  scenario(
    `${number.slice(0, 30)} is an invalid number of replicas`,
    async ({ client, namespace, expect }) => {
      const body = `{"metadata":{"name":"a"},"spec":{"replicas":${number}}}`;
      const response = await wire(client, `POST /apis/apps/v1/namespaces/${namespace}/deployments`, { body });
      expect(response.body).toEqual(
        badRequest(
          `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number ${number} into Go struct field DeploymentSpec.spec.replicas of type int32`,
        ),
      );
    },
  );
}

scenario("a number beyond the range of a float is refused in custom objects", async (stage) => {
  await using kind = await things(stage, [version("v1", { size: { type: "number" } })]);
  const { client, expect } = stage;
  const body = JSON.stringify(kind.thing("a", { size: 1 })).replace('"size":1', '"size":1e400');
  const response = await wire(client, `POST ${kind.path("v1")}`, { body });
  expect(response.body).toEqual(
    badRequest(
      'Thing in version "v1" cannot be handled as a Thing: json: cannot unmarshal number 1e400 into Go value of type float64',
    ),
  );
});

/** The replacement for invalid characters. */
const replaced = "\ufffd";
const texts: ReadonlyArray<readonly [what: string, bytes: Uint8Array, stored: string]> = [
  ["half of a surrogate pair", Buffer.from("x\\ud800y"), `x${replaced}y`],
  ["the other half", Buffer.from("\\udc00"), replaced],
  ["a NUL character", Buffer.from("x\\u0000y"), "x\0y"],
  ["bytes that are no UTF-8", Buffer.from([0x78, 0xff, 0xfe, 0x80]), `x${replaced.repeat(3)}`],
  ["a surrogate in UTF-8", Buffer.from([0xed, 0xa0, 0x80]), replaced.repeat(3)],
];

for (const [what, bytes, stored] of texts) {
  scenario(
    `${what} in a text is stored with replacement characters`,
    async ({ client, namespace, expect }) => {
      const { status, body } = await client.transport.send({
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/configmaps`,
        headers: { "content-type": "application/json" },
        body: Buffer.concat([
          Buffer.from('{"metadata":{"name":"a"},"data":{"a":"'),
          bytes,
          Buffer.from('"}}'),
        ]),
      });
      expect([status, masked(JSON.parse(body.toString()))]).toEqual([
        201,
        expect.objectContaining({ data: { a: stored } }),
      ]);
    },
  );
}

scenario("YAML that is not valid UTF-8 is refused", async ({ client, namespace, expect }) => {
  const { body } = await client.transport.send({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    headers: { "content-type": "application/yaml" },
    body: Buffer.from([0x6d, 0x3a, 0x20, 0xff, 0xfe]),
  });
  expect(JSON.parse(body.toString())).toEqual(
    badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): yaml: invalid leading UTF-8 octet (6d3a20fffe)",
    ),
  );
});
