import { expect, test } from "vitest";
import { kind } from "../../api/index.ts";
import { typedSchema } from "../structure/typed-schema.ts";
import { encodeTyped } from "./encode-typed.ts";

/** @param named a kind such as `apps/v1 Deployment` */
function encoded(named: string, value: object): unknown {
  const [apiVersion = "", name = ""] = named.split(" ");
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const type = typedSchema(kind({ group, version, kind: name }));
  if (!type) throw new Error(`expected a type of ${name}, got none`);
  return encodeTyped(value, type);
}

test.each([
  ["v1 ConfigMap", {}, { metadata: {} }],
  ["v1 Pod", {}, { metadata: {}, spec: { containers: null }, status: {} }],
  [
    "policy/v1 PodDisruptionBudget",
    {},
    {
      metadata: {},
      spec: {},
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  ],
  ["rbac.authorization.k8s.io/v1 Role", { rules: [] }, { metadata: {}, rules: null }],
  [
    "v1 Event",
    {},
    {
      metadata: {},
      involvedObject: {},
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: "",
      reportingInstance: "",
    },
  ],
])("%s %j is written with the fields that Go always writes", (named, value, written) => {
  expect(encoded(named, value)).toEqual(written);
});

test("a pointer keeps its zero, and other fields are omitted", () => {
  const spec = {
    containers: [{ name: "c", image: "", ports: [], stdin: false, env: [{ name: "E", value: "" }] }],
    terminationGracePeriodSeconds: 0,
    hostNetwork: false,
    enableServiceLinks: false,
    nodeSelector: {},
  };
  expect(encoded("v1 Pod", { spec })).toEqual({
    metadata: {},
    spec: {
      containers: [{ name: "c", env: [{ name: "E" }], resources: {} }],
      terminationGracePeriodSeconds: 0,
      enableServiceLinks: false,
    },
    status: {},
  });
});

test("structs of Go such as times and quantities are written even if empty", () => {
  const namespace = { status: { conditions: [{ type: "Seen", status: "True" }] } };
  expect(encoded("v1 Namespace", namespace)).toMatchObject({
    status: { conditions: [{ type: "Seen", status: "True", lastTransitionTime: null }] },
  });
  const env = [{ name: "E", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } }];
  expect(encoded("v1 Pod", { spec: { containers: [{ name: "c", env }] } })).toMatchObject({
    spec: {
      containers: [{ env: [{ valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "0" } } }] }],
    },
  });
});

test("fields are written in the order of the struct, and map keys are sorted", () => {
  const map = encoded("v1 ConfigMap", { data: { b: "2", a: "1" }, metadata: { labels: { d: "", c: "" } } });
  expect(JSON.stringify(map)).toBe('{"metadata":{"labels":{"c":"","d":""}},"data":{"a":"1","b":"2"}}');
  const pod = encoded("v1 Pod", { status: {}, spec: { nodeName: "n", containers: [] }, metadata: {} });
  expect(JSON.stringify(pod)).toBe('{"metadata":{},"spec":{"containers":null,"nodeName":"n"},"status":{}}');
});
