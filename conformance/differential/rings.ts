import fc from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import { definitionOf } from "./definition.ts";
import type { Subject } from "./subject.ts";

const intOrString = { "x-kubernetes-int-or-string": true } as const;
const list = (type: string, items: object, rest: object = {}) => ({
  type: "array",
  "x-kubernetes-list-type": type,
  items,
  ...rest,
});

const portSchema = {
  type: "object",
  required: ["port"],
  properties: {
    port: { type: "integer", format: "int32", minimum: 1, maximum: 65_535 },
    protocol: { type: "string", default: "TCP" },
    name: { type: "string", maxLength: 5 },
    extra: { type: "object", properties: { a: { type: "string" }, b: { type: "integer", default: 7 } } },
  },
};

const conditionSchema = {
  type: "object",
  required: ["type", "status"],
  properties: {
    type: { type: "string" },
    status: { type: "string", enum: ["True", "False", "Unknown"] },
    since: { type: "string", format: "date-time" },
  },
};

const specSchema = {
  type: "object",
  properties: {
    replicas: { type: "integer", minimum: 0, maximum: 10, default: 1 },
    size: intOrString,
    mode: { type: "string", enum: ["fast", "slow"], default: "fast" },
    level: { type: "number", minimum: 0.5, exclusiveMinimum: true },
    step: { type: "number", multipleOf: 0.5 },
    dozen: { type: "integer", multipleOf: 12 },
    code: { type: "string", pattern: "^[a-z]{1,3}$" },
    note: { type: "string", nullable: true },
    atoms: list("atomic", { type: "string" }),
    tags: list("set", { type: "string" }, { maxItems: 3 }),
    ports: list("map", portSchema, { "x-kubernetes-list-map-keys": ["port", "protocol"] }),
    plain: { type: "array", items: { type: "object", properties: { x: { type: "integer" } } } },
    limits: { type: "object", additionalProperties: intOrString },
    fixed: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: { type: "string" }, b: { type: "string" } },
    },
    nested: {
      type: "object",
      default: { inner: { on: true } },
      properties: {
        inner: {
          type: "object",
          properties: { on: { type: "boolean" }, deep: { type: "string", default: "d" } },
        },
      },
    },
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};

const portValue = fields({
  port: mostly(pick(80, 443, 8080), pick(0, 70_000, "80", null, 1.5)),
  protocol: maybe(mostly(pick("TCP", "UDP"))),
  name: maybe(mostly(pick("web", "x", "too long"))),
  extra: option(fields({ a: maybe(pick("1", "2")), b: maybe(mostly(pick(1, 2))) }), {
    nil: undefined,
    freq: 3,
  }),
});

const spec = fields({
  replicas: maybe(mostly(pick(0, 1, 3), pick(-1, 11, 1.5, "1", null))),
  size: maybe(mostly(pick(1, "10%", "x"), pick(1.5, true, null))),
  mode: maybe(mostly(pick("fast", "slow"), pick("medium", null, 1))),
  level: option(mostly(pick(1, 1.5, 0.5), pick(0.3, "1")), { nil: undefined, freq: 5 }),
  step: option(mostly(pick(1, 1.5, 0), pick(0.3, "1", -0.25)), { nil: undefined, freq: 8 }),
  dozen: option(mostly(pick(0, 12, 24), pick(7, 1.5, -12)), { nil: undefined, freq: 8 }),
  code: option(mostly(pick("a", "abc"), pick("A", "abcd", 1)), { nil: undefined, freq: 5 }),
  note: maybe(mostly(pick("n", null))),
  atoms: maybe(mostly(fc.array(mostly(pick("a", "b")), { maxLength: 3 }))),
  tags: maybe(mostly(fc.array(mostly(pick("x", "y", "z", "w")), { maxLength: 4 }))),
  ports: maybe(mostly(fc.array(portValue, { maxLength: 3 }))),
  plain: option(
    fc.array(fields({ x: maybe(mostly(pick(1, 2))), y: option(pick(1), { nil: undefined, freq: 5 }) }), {
      maxLength: 2,
    }),
    { nil: undefined, freq: 4 },
  ),
  limits: maybe(entries(["cpu", "memory"], mostly(pick(1, "1Gi")))),
  fixed: maybe(entries(["a", "b"], mostly(pick("1", "2")))),
  nested: maybe(
    mostly(
      fields({ inner: maybe(fields({ on: maybe(mostly(fc.boolean())), deep: maybe(pick("x", "d")) })) }),
    ),
  ),
  embedded: option(
    mostly(
      fields({
        apiVersion: mostly(pick("v1")),
        kind: mostly(pick("Pod")),
        metadata: mostly(
          fields({
            name: maybe(mostly(pick("inner"))),
            labels: maybe(entries(["a"], mostly(pick("b")))),
            nope: maybe(pick(1)),
          }),
        ),
        spec: maybe(pick({ any: 1 })),
      }),
    ),
    { nil: undefined, freq: 6 },
  ),
  unknown: option(pick(1, { a: 1 }), { nil: undefined, freq: 15 }),
});

const part = fields({ spec: mostly(spec), top: option(pick(1), { nil: undefined, freq: 25 }) });

/** A custom kind with every list type, defaults, int-or-string fields, a status and a scale. */
export const rings: Subject = {
  plural: "rings",
  root: "/apis/differential.example.dev/v1",
  apiVersion: "differential.example.dev/v1",
  kind: "Ring",
  subresources: ["status", "scale"],
  whole: part,
  part,
  status: mostly(
    fields({
      replicas: maybe(mostly(pick(0, 2))),
      selector: maybe(mostly(pick("app=a", "x"))),
      conditions: maybe(
        fc.array(
          fields({
            type: mostly(pick("Ready", "Done")),
            status: mostly(pick("True", "False")),
            since: maybe(mostly(pick("2020-01-02T03:04:05Z"), pick("now", "2020-01-02"))),
          }),
          { maxLength: 2 },
        ),
      ),
      observedGeneration: maybe(mostly(pick(1, 2))),
    }),
  ) as Subject["part"],
  pointers: [
    "/spec/replicas",
    "/spec/size",
    "/spec/tags",
    "/spec/tags/0",
    "/spec/tags/-",
    "/spec/ports",
    "/spec/ports/0",
    "/spec/ports/0/name",
    "/spec/atoms/0",
    "/spec/nested/inner/on",
    "/spec/limits/cpu",
    "/status/replicas",
    "/spec",
  ],
  values: fc.oneof(pick(1, 3, "x", "80%"), portValue, pick(["x", "y"], ["x", "x"])),
  fields: ["spec.replicas=1"],
  least: { spec: {} },
  definition: definitionOf({
    plural: "rings",
    kind: "Ring",
    subresources: {
      status: {},
      scale: {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      },
    },
    additionalPrinterColumns: [
      { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
      { name: "Mode", type: "string", jsonPath: ".spec.mode" },
    ],
    selectableFields: [{ jsonPath: ".spec.mode" }],
    schema: {
      type: "object",
      properties: {
        spec: specSchema,
        status: {
          type: "object",
          properties: {
            replicas: { type: "integer", format: "int32" },
            selector: { type: "string" },
            conditions: list("map", conditionSchema, { "x-kubernetes-list-map-keys": ["type"] }),
            observedGeneration: { type: "integer", format: "int64" },
          },
        },
      },
    },
  }),
};
