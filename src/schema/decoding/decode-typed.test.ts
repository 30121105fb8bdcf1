import { expect, test } from "vitest";
import { typedSchema } from "../structure/typed-schema.ts";
import { readJson } from "../values/read-json.ts";
import { DecodeError, strictText } from "./decode-run.ts";
import { type DecodedTyped, decodeTyped } from "./decode-typed.ts";

const groups: Readonly<Record<string, string>> = {
  Deployment: "apps",
  Lease: "coordination.k8s.io",
  CustomResourceDefinition: "apiextensions.k8s.io",
};

function decode(kind: string, text: string): DecodedTyped {
  const type = typedSchema({ group: groups[kind] ?? "", version: "v1", kind });
  if (!type) throw new Error(`expected a built-in kind, got ${kind}`);
  const { value, notes } = readJson(text);
  return decodeTyped(value, type, { notes });
}

/** Returns kube-apiserver's message for a body under strict field validation. */
function refusal(kind: string, text: string): string {
  try {
    const { problems } = decode(kind, text);
    return `strict decoding error: ${problems.map(strictText).join(", ")}`;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

const refused: ReadonlyArray<readonly [string, string, string]> = [
  [
    "Deployment",
    '{"spec":{"replicas":"3"}}',
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"replicas":1.5}}',
    "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"replicas":3.0}}',
    "json: cannot unmarshal number 3.0 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"replicas":1e2}}',
    "json: cannot unmarshal number 1e2 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"replicas":3000000000}}',
    "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"metadata":{"generation":99999999999999999999}}',
    "json: cannot unmarshal number 99999999999999999999 into Go struct field ObjectMeta.metadata.generation of type int64",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":[{"env":[{"name":"a","value":1}]}]}}}}',
    "json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string",
  ],
  [
    "Deployment",
    '{"metadata":{"labels":{"a":1}}}',
    "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
  ],
  [
    "Deployment",
    '{"metadata":{"labels":"x"}}',
    "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string",
  ],
  [
    "Deployment",
    '{"spec":{"template":"x"}}',
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.template of type v1.PodTemplateSpec",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":{}}}}}',
    "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":["x"]}}}}',
    "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container",
  ],
  [
    "Deployment",
    '{"spec":[]}',
    "json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec",
  ],
  [
    "Deployment",
    '{"spec":true}',
    "json: cannot unmarshal bool into Go struct field Deployment.spec of type v1.DeploymentSpec",
  ],
  [
    "Deployment",
    '{"spec":{"paused":1}}',
    "json: cannot unmarshal number into Go struct field DeploymentSpec.spec.paused of type bool",
  ],
  [
    "Deployment",
    '{"metadata":"x"}',
    "json: cannot unmarshal string into Go struct field Deployment.metadata of type v1.ObjectMeta",
  ],
  [
    "Deployment",
    '{"metadata":{"creationTimestamp":"abc"}}',
    'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
  ],
  [
    "Deployment",
    '{"metadata":{"creationTimestamp":5}}',
    "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"abc"}}}]}}}}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":true}}}]}}}}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "Deployment",
    '{"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"1mm"}}}]}}}}',
    "unable to parse quantity's suffix",
  ],
  [
    "Deployment",
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":true}}}}',
    "json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":{}}}}}',
    "json: cannot unmarshal object into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":1.5}}}}',
    "json: cannot unmarshal number 1.5 into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"foo":1,"template":{"metadata":{"bar":1},"spec":{"containers":[{"name":"a","zap":{"b":1}}]}}},"zoo":1}',
    'strict decoding error: unknown field "spec.foo", unknown field "spec.template.metadata.bar", unknown field "spec.template.spec.containers[0].zap", unknown field "zoo"',
  ],
  [
    "Deployment",
    '{"spec":{"foo":1,"replicas":"x"}}',
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "Deployment",
    '{"spec":{"paused":"x","replicas":"x"}}',
    "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool",
  ],
  [
    "Deployment",
    '{"spec":{"replicas":"x"},"metadata":{"creationTimestamp":"abc"}}',
    'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
  ],
  [
    "Deployment",
    '{"kind":"Deployment","kind":"Deployment","metadata":{"name":"x","labels":{"a":"b","a":"c","a":"d"}},"spec":{"replicas":1,"foo":{"a":1,"a":2},"replicas":2}}',
    'strict decoding error: duplicate field "kind", duplicate field "metadata.labels.a", unknown field "spec.foo", duplicate field "spec.replicas"',
  ],
  ["Deployment", '{"spec":{"Replicas":1}}', 'strict decoding error: unknown field "spec.Replicas"'],
  ["Secret", '{"data":{"a":"???"}}', "illegal base64 data at input byte 0"],
  [
    "Secret",
    '{"data":{"a":1}}',
    "json: cannot unmarshal number into Go struct field Secret.data of type []uint8",
  ],
  [
    "Secret",
    '{"data":{"a":["x"]}}',
    "json: cannot unmarshal string into Go struct field Secret.data of type uint8",
  ],
  ["Secret", '{"data":{"a":"???"},"immutable":"x"}', "illegal base64 data at input byte 0"],
  [
    "Secret",
    '{"immutable":"x","data":{"a":"???"}}',
    "json: cannot unmarshal string into Go struct field Secret.immutable of type bool",
  ],
  [
    "Lease",
    '{"spec":{"renewTime":"2026-01-01T00:00:00Z"}}',
    'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  ],
  [
    "Lease",
    '{"spec":{"renewTime":"2026-01-01T00:00:00.123456789Z"}}',
    'parsing time "2026-01-01T00:00:00.123456789Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "789Z" as "Z07:00"',
  ],
  [
    "Deployment",
    '{"spec":{"__proto__":1,"constructor":2},"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}',
    'strict decoding error: unknown field "spec.__proto__", unknown field "spec.constructor"',
  ],
];

test.each(refused)("a %s %s is refused with Go's message", (kind, text, message) => {
  expect(refusal(kind, text)).toBe(message);
});

test("an error in a schema of a CustomResourceDefinition names its path", () => {
  const crd = (schema: string): string => `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`;
  const way = "JSONSchemaProps.spec.versions.schema.openAPIV3Schema";
  expect(refusal("CustomResourceDefinition", crd('{"properties":{"a":{"items":{"type":5}}}}'))).toBe(
    `json: cannot unmarshal number into Go struct field ${way}.properties.items.type of type string`,
  );
  expect(refusal("CustomResourceDefinition", crd('{"additionalProperties":"x"}'))).toBe(
    "boolean or JSON schema expected",
  );
  expect(refusal("CustomResourceDefinition", crd('{"exclusiveMinimum":3}'))).toBe(
    `json: cannot unmarshal number into Go struct field ${way}.exclusiveMinimum of type bool`,
  );
});

test("unknown fields of a schema are reported where Go reports them, and dropped everywhere", () => {
  const text = `{"spec":{"versions":[{"schema":{"openAPIV3Schema":
    {"foo":1,"items":{"foo":1,"type":"string"},"additionalProperties":{"foo":1},"default":{"any":[null]},"enum":[null]}}}]}}`;
  const { value, problems } = decode("CustomResourceDefinition", text);
  expect(value).toEqual({
    spec: {
      versions: [
        {
          schema: {
            openAPIV3Schema: {
              items: { type: "string" },
              additionalProperties: {},
              default: { any: [null] },
              enum: [null],
            },
          },
        },
      ],
    },
  });
  expect(problems.map(strictText)).toEqual(['unknown field "spec.versions[0].schema.openAPIV3Schema.foo"']);
});

test("nulls are dropped, and become Go's zero value in maps and lists", () => {
  expect(decode("ConfigMap", '{"metadata":null,"data":{"a":null,"b":""},"immutable":null}').value).toEqual({
    data: { a: "", b: "" },
  });
  expect(decode("Pod", '{"spec":{"containers":[null,{"args":[null]}]}}').value).toEqual({
    spec: { containers: [{}, { args: [""] }] },
  });
});

test("times, quantities and bytes are brought into their stored form", () => {
  const text = `{"metadata":{"creationTimestamp":"2020-01-01T02:00:00.5+02:00"},
    "spec":{"containers":[{"resources":{"limits":{"cpu":0.5,"memory":"1024Mi"}}}]}}`;
  expect(decode("Pod", text).value).toEqual({
    metadata: { creationTimestamp: "2020-01-01T00:00:00Z" },
    spec: { containers: [{ resources: { limits: { cpu: "500m", memory: "1Gi" } } }] },
  });
  expect(decode("Secret", '{"data":{"a":"YWJj\\n","b":[97,98]}}').value).toEqual({
    data: { a: "YWJj", b: "YWI=" },
  });
});

test("at most 100 unknown fields are reported", () => {
  const fields = Array.from({ length: 103 }, (_, index) => `"u${index}":1`).join(",");
  expect(decode("ConfigMap", `{${fields}}`).problems).toHaveLength(100);
});

test("labels may have names with a meaning in JavaScript", () => {
  const { value } = decode("ConfigMap", '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}');
  expect(JSON.stringify(value)).toBe('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}');
});

test("a value nested too deeply is refused and does not overflow the stack", () => {
  const type = typedSchema({
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
  });
  let schema: object = {};
  for (let depth = 0; depth < 10_000; depth++) schema = { properties: { a: schema } };
  const crd = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
  expect(() => type && decodeTyped(crd, type)).toThrow("exceeded max depth");
});

test("a repeated field is decoded into the value of its earlier occurrence", () => {
  const { value } = decode(
    "ConfigMap",
    '{"metadata":{"name":"a","labels":{"a":"1"},"finalizers":["x"]},"metadata":{"labels":{"b":"2"},"finalizers":null},' +
      '"data":{"a":"1"},"data":null,"immutable":true,"immutable":false}',
  );
  expect(value).toEqual({ metadata: { name: "a", labels: { a: "1", b: "2" } }, immutable: false });
});
