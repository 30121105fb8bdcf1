import fc from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import { podSpec, podSpecPart } from "./pod-parts.ts";
import type { Subject } from "./subject.ts";

const strategy = mostly(
  pick(
    { type: "Recreate" },
    { type: "RollingUpdate" },
    { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
    {},
  ),
  pick({ rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, { type: "Nope" }),
);

const scalars = {
  replicas: maybe(mostly(pick(0, 1, 3), pick(-1, "1", null))),
  minReadySeconds: option(mostly(pick(0, 5), pick(-1)), { nil: undefined, freq: 5 }),
  revisionHistoryLimit: option(pick(0, 2), { nil: undefined, freq: 5 }),
  progressDeadlineSeconds: option(mostly(pick(600, 10), pick(3)), { nil: undefined, freq: 6 }),
  paused: option(fc.boolean(), { nil: undefined, freq: 5 }),
  strategy: option(strategy, { nil: undefined, freq: 4 }),
};

const labels = mostly(pick({ app: "a" }, { app: "a", tier: "b" }), pick({}, { app: "b" }));

const whole = fields({
  spec: mostly(
    fields({
      ...scalars,
      selector: mostly(
        pick(
          { matchLabels: { app: "a" } },
          { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] },
        ),
        pick(
          {},
          null,
          { matchLabels: { app: "z" } },
          { matchExpressions: [{ key: "app", operator: "Nope" }] },
        ),
      ),
      template: mostly(
        fields({
          metadata: mostly(fields({ labels, annotations: maybe(entries(["note"], pick("1"))) })),
          spec: mostly(podSpec),
        }),
      ),
    }),
  ),
});

const part = fields({
  spec: fields({
    ...scalars,
    template: option(
      fields({
        metadata: option(
          fields({ annotations: maybe(entries(["note"], pick("1", "2"))), labels: maybe(labels) }),
          {
            nil: undefined,
            freq: 3,
          },
        ),
        spec: maybe(podSpecPart),
      }),
      { nil: undefined, freq: 2 },
    ),
  }),
});

export const deployments: Subject = {
  plural: "deployments",
  root: "/apis/apps/v1",
  apiVersion: "apps/v1",
  kind: "Deployment",
  subresources: ["status", "scale"],
  whole,
  part,
  status: fields({
    replicas: maybe(mostly(pick(0, 2), pick(-1))),
    readyReplicas: maybe(mostly(pick(0, 1, 5))),
    observedGeneration: maybe(mostly(pick(1, 2), pick(-1))),
    conditions: maybe(
      fc.array(
        fields({ type: mostly(pick("Available", "Progressing")), status: mostly(pick("True", "False")) }),
        {
          maxLength: 2,
        },
      ),
    ),
  }),
  pointers: [
    "/spec/replicas",
    "/spec/paused",
    "/spec/strategy",
    "/spec/template/spec/containers/0/image",
    "/spec/template/spec/containers/0",
    "/spec/template/metadata/labels/app",
    "/spec/selector",
    "/status/replicas",
    "/spec",
  ],
  values: pick(2, "example.dev/c", true, { type: "Recreate" }, { matchLabels: { app: "b" } }),
  fields: ["status.replicas=0"],
  least: {
    spec: {
      selector: { matchLabels: { app: "end" } },
      template: {
        metadata: { labels: { app: "end" } },
        spec: { containers: [{ name: "one", image: "example.dev/a" }] },
      },
    },
  },
};
