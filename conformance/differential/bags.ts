import fc from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import { definitionOf } from "./definition.ts";
import type { Subject } from "./subject.ts";

const anything = pick(1, "x", true, null, 1.5, [1, { a: 1 }], { a: { b: null } }, [], {}, ["x", "x"]);

const spec = fields({
  known: maybe(mostly(fields({ a: maybe(mostly(pick("1", "2"))), b: maybe(mostly(anything)) }))),
  closed: maybe(
    mostly(
      fields({
        a: maybe(mostly(pick("1", "2"))),
        unknown: option(anything, { nil: undefined, freq: 5 }),
      }),
    ),
  ),
  free: maybe(anything),
  list: maybe(fc.array(anything, { maxLength: 3 })),
});

const part = fields({
  spec: maybe(mostly(spec)),
  data: maybe(entries(["a", "b"], anything)),
  status: option(entries(["a", "b"], anything), { nil: undefined, freq: 4 }),
});

/** A custom kind that preserves unknown fields, without subresources. */
export const bags: Subject = {
  plural: "bags",
  root: "/apis/differential.example.dev/v1",
  apiVersion: "differential.example.dev/v1",
  kind: "Bag",
  subresources: [],
  whole: part,
  part,
  pointers: [
    "/spec",
    "/spec/known/a",
    "/spec/free",
    "/spec/list",
    "/spec/list/0",
    "/spec/list/-",
    "/data/a",
    "/status",
  ],
  values: anything,
  fields: ["spec.free=1"],
  least: { spec: {} },
  definition: definitionOf({
    plural: "bags",
    kind: "Bag",
    schema: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: {
        spec: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: {
            known: {
              type: "object",
              "x-kubernetes-preserve-unknown-fields": true,
              properties: { a: { type: "string" } },
            },
            closed: { type: "object", properties: { a: { type: "string", default: "z" } } },
          },
        },
      },
    },
  }),
};
