import fc, { type Arbitrary } from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import type { JsonObject } from "./script.ts";

const seldom = { nil: undefined, freq: 5 } as const;

const resources = fields({
  requests: maybe(entries(["cpu", "memory"], mostly(pick("100m", "1", "64Mi", 1), pick("lots", "-1", null)))),
  limits: option(entries(["cpu", "memory"], mostly(pick("1", "1Gi"))), seldom),
});

const variable = fc.oneof(
  { weight: 3, arbitrary: fields({ name: mostly(pick("A", "B")), value: maybe(mostly(pick("1", "2"))) }) },
  {
    weight: 1,
    arbitrary: fields({
      name: pick("C", "D"),
      valueFrom: mostly(
        pick({ fieldRef: { fieldPath: "metadata.name" } }, { configMapKeyRef: { name: "a", key: "b" } }),
        pick({ fieldRef: { fieldPath: "nope" } }, {}),
      ),
    }),
  },
);

const containerPort = fields({
  name: maybe(mostly(pick("web", "http"), pick("Too_Long_A_Name", ""))),
  containerPort: mostly(pick(80, 8080), pick(0, 70_000, "80")),
  protocol: maybe(mostly(pick("TCP", "UDP"), pick("ICMP"))),
});

const probe = mostly(
  pick(
    { httpGet: { path: "/", port: 80 } },
    { tcpSocket: { port: "web" }, periodSeconds: 5 },
    { exec: { command: ["true"] }, timeoutSeconds: 2 },
  ),
  pick({}),
);

/** One container with the given name. */
export function container(name: string): Arbitrary<JsonObject> {
  return fields({
    name: mostly(fc.constant(name), pick("Bad_Name", "")),
    image: mostly(pick("example.dev/a:1", "example.dev/b"), pick("", " a")),
    imagePullPolicy: option(mostly(pick("Always", "IfNotPresent"), pick("Sometimes")), seldom),
    command: option(pick(["run"], []), seldom),
    args: option(pick(["-v"], []), seldom),
    env: maybe(mostly(fc.array(variable, { maxLength: 2 }))),
    ports: maybe(mostly(fc.array(containerPort, { maxLength: 2 }))),
    resources: maybe(mostly(resources)),
    livenessProbe: option(probe, seldom),
    securityContext: option(
      pick(
        { privileged: true },
        { runAsUser: 1000 },
        { runAsNonRoot: true, capabilities: { drop: ["ALL"] } },
      ),
      seldom,
    ),
    unknown: option(pick(1), { nil: undefined, freq: 30 }),
  });
}

const volume = pick(
  { name: "data", emptyDir: {} },
  { name: "data", configMap: { name: "a" } },
  { name: "data", secret: { secretName: "s" } },
  { name: "data" },
);

/** A Pod's `spec`. */
export const podSpec: Arbitrary<JsonObject> = fields({
  containers: mostly(
    fc.oneof(
      { weight: 4, arbitrary: container("one").map((one) => [one]) },
      { weight: 1, arbitrary: fc.tuple(container("one"), container("two")) },
    ),
    pick([], null),
  ),
  initContainers: option(
    container("init").map(({ livenessProbe: _, ...one }) => [one]),
    { nil: undefined, freq: 8 },
  ),
  volumes: maybe(mostly(volume.map((one) => [one]))),
  restartPolicy: option(mostly(pick("Always", "OnFailure", "Never"), pick("Sometimes")), seldom),
  terminationGracePeriodSeconds: option(mostly(pick(0, 5)), seldom),
  nodeSelector: option(entries(["disk"], mostly(pick("ssd"))), seldom),
  tolerations: option(
    pick(
      [{ key: "a", operator: "Exists" }],
      [{ operator: "Exists" }],
      [{ key: "a", value: "b", effect: "NoSchedule" }],
    ),
    seldom,
  ),
  hostNetwork: option(fc.boolean(), { nil: undefined, freq: 10 }),
  serviceAccountName: option(pick("robot"), seldom),
  priority: option(pick(0, 1, -1), { nil: undefined, freq: 20 }),
  priorityClassName: option(pick("system-node-critical", "nope", ""), { nil: undefined, freq: 30 }),
  securityContext: option(mostly(pick({}, { fsGroup: 1 }), pick({ runAsUser: -1 })), seldom),
});

/** A smaller spec for patches and applies: containers by name. */
export const podSpecPart: Arbitrary<JsonObject> = fields({
  containers: maybe(
    fc.oneof(
      container("one").map((one) => [one]),
      container("two").map((one) => [one]),
      pick([{ name: "one", $patch: "delete" }], [{ name: "one", image: "example.dev/c" }]),
    ),
  ),
  volumes: option(
    volume.map((one) => [one]),
    seldom,
  ),
  terminationGracePeriodSeconds: option(pick(0, 5), seldom),
  tolerations: option(pick([{ key: "b", operator: "Exists" }]), seldom),
  activeDeadlineSeconds: option(pick(10), { nil: undefined, freq: 8 }),
});
