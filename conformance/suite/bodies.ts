import { ConfigMap } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { masked } from "../masked.ts";
import { raw } from "../raw.ts";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";

scenario(
  "an object with another namespace than the path is refused",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const body = '{"metadata":{"name":"a","namespace":"default"}}';
    expect(await raw(client, path, { method: "POST", body })).toEqual({
      status: 400,
      body: {
        status: "Failure",
        code: 400,
        reason: "BadRequest",
        message: "the namespace of the provided object does not match the namespace sent on the request",
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
      },
    });
  },
);

scenario("a new object must not have a resourceVersion", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const body = '{"metadata":{"name":"a","resourceVersion":"1"}}';
  expect(await raw(client, path, { method: "POST", body })).toEqual({
    status: 500,
    body: {
      status: "Failure",
      code: 500,
      message: "resourceVersion should not be set on objects to be created",
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("a body that is not JSON is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const body = '{"metadata":';
  expect(await raw(client, path, { method: "POST", body })).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message:
        'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":)',
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario("a field of the wrong type is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const body = '{"metadata":{"name":"a"},"data":{"key":1}}';
  expect(await raw(client, path, { method: "POST", body })).toEqual({
    status: 400,
    body: {
      status: "Failure",
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
    },
  });
});

scenario(
  "unknown fields are reported, dropped or refused, according to fieldValidation",
  async ({ namespace, cluster, expect }) => {
    const warnings: string[] = [];
    const { kubeconfig } = cluster;
    const onWarning = (text: string) => warnings.push(text);
    await using client = await connect({ kubeconfig, namespace, onWarning });
    const unknown = (name: string) => ({ metadata: { name }, colour: "red", data: { key: "value" } });
    await client.create(ConfigMap, unknown("silent"), { fieldValidation: "Ignore" });
    expect(warnings).toEqual([]);
    const stored = await client.create(ConfigMap, unknown("warned"));
    expect(warnings).toEqual(['unknown field "colour"']);
    expect(masked(stored)).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "warned",
        namespace,
        uid: "<uid>",
        resourceVersion: "<version>",
        creationTimestamp: "<time>",
      },
      data: { key: "value" },
    });
    const strict = client.create(ConfigMap, unknown("refused"), { fieldValidation: "Strict" });
    expect(await refusal(strict)).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "colour"',
    });
  },
);

scenario("a duplicate field is reported in a warning", async ({ client, namespace, expect }) => {
  const { status, headers, body } = await client.transport.send({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    headers: { "content-type": "application/json" },
    body: '{"metadata":{"name":"a"},"data":{"key":"1","key":"2"}}',
  });
  expect({ status, warning: headers.warning, data: JSON.parse(body.toString()).data }).toEqual({
    status: 201,
    data: { key: "2" },
    warning: '299 - "duplicate field \\"data.key\\""',
  });
});
