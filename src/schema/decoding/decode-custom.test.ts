import { expect, test } from "vitest";
import { compileSchema } from "../validation/compile-schema.ts";
import { decodeCustom } from "./decode-custom.ts";

const schema = compileSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        a: { type: "integer" },
        pod: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          properties: { spec: { type: "object", properties: { b: { type: "integer" } } } },
        },
      },
    },
  },
});

const type = { apiVersion: "example.dev/v1", kind: "Foo" };

test("unknown fields are reported in the order metadata by name, the rest, embedded metadata", () => {
  const metadata = { name: "x", zoo: 1, foo: 1, labels: { a: "b" } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "y", foo: 1 }, spec: { b: 1, c: 1 } };
  expect(decodeCustom({ ...type, metadata, spec: { x: 1, a: 1, pod } }, schema)).toEqual({
    value: {
      ...type,
      metadata: { name: "x", labels: { a: "b" } },
      spec: { a: 1, pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "y" }, spec: { b: 1 } } },
    },
    unknown: ["metadata.foo", "metadata.zoo", "spec.pod.spec.c", "spec.x", "spec.pod.metadata.foo"],
  });
});

test("empty fields of metadata are dropped", () => {
  const metadata = {
    name: "x",
    generateName: "",
    labels: null,
    annotations: {},
    finalizers: [],
    generation: 0,
    deletionGracePeriodSeconds: 0,
    creationTimestamp: null,
  };
  expect(decodeCustom({ ...type, metadata }, schema).value).toEqual({
    ...type,
    metadata: { name: "x", deletionGracePeriodSeconds: 0 },
  });
});

const refused: ReadonlyArray<readonly [object, string]> = [
  [
    { metadata: { labels: { a: 1 } } },
    "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  ],
  [{ metadata: "x" }, "json: cannot unmarshal string into Go value of type v1.ObjectMeta"],
  [
    { metadata: { generation: "x" } },
    "json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64",
  ],
  [
    { metadata: { creationTimestamp: "x" } },
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [{ spec: { pod: { apiVersion: 1 } } }, "spec.pod.apiVersion: Invalid value: 1: must be a string"],
  [
    { spec: { pod: { metadata: { labels: { a: 1 } } } } },
    'spec.pod.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ],
  [
    { spec: { pod: { metadata: "x" } } },
    'spec.pod.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
  ],
];

test.each(refused)("metadata like %j is refused", (value, message) => {
  expect(() => decodeCustom({ ...type, ...value }, schema)).toThrow(message);
});
