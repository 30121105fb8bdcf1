import { expect, test } from "vitest";
import type { ResourceFacts, SchemaFacts } from "./facts.ts";
import { facts, release } from "./types/facts.ts";

const everyVerb = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

test("facts are parsed once and name their release", () => {
  expect(facts()).toBe(facts());
  expect(facts().release).toBe(release);
  expect(release).toMatch(/^v1\.\d+\.\d+$/);
});

test("a resource has its names, verbs and subresources", () => {
  expect(resource("apps", "deployments")).toEqual({
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    singular: "deployment",
    namespaced: true,
    shortNames: ["deploy"],
    categories: ["all"],
    verbs: everyVerb,
    subresources: [
      {
        name: "scale",
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs: ["get", "patch", "update"],
      },
      { name: "status", group: "apps", version: "v1", kind: "Deployment", verbs: ["get", "patch", "update"] },
    ],
  });
});

test("a namespace is cluster-scoped, has no deletecollection verb, and has a finalize subresource", () => {
  const { namespaced, verbs, subresources } = resource("", "namespaces") ?? {};
  expect({ namespaced, verbs, subresources }).toEqual({
    namespaced: false,
    verbs: everyVerb.filter((verb) => verb !== "deletecollection"),
    subresources: [
      { name: "finalize", group: "", version: "v1", kind: "Namespace", verbs: ["update"] },
      { name: "status", group: "", version: "v1", kind: "Namespace", verbs: ["get", "patch", "update"] },
    ],
  });
});

test("the body of a subresource may be of another group than its resource", () => {
  const bodies = [...bodiesOf("pods"), ...bodiesOf("serviceaccounts")];
  expect(bodies).toContain("eviction: policy/v1 Eviction");
  expect(bodies).toContain("binding: /v1 Binding");
  expect(bodies).toContain("token: authentication.k8s.io/v1 TokenRequest");
});

test("the core group comes first, and versions are in order of preference", () => {
  const [first, ...others] = facts().groups;
  expect(first).toEqual({ name: "", versions: ["v1"] });
  expect(others).toContainEqual({ name: "autoscaling", versions: ["v2", "v1"] });
  expect(others).toContainEqual({
    name: "admissionregistration.k8s.io",
    versions: ["v1", "v1beta1", "v1alpha1"],
  });
});

test("every kind that can be read or written has a schema, and so has the body of every subresource", () => {
  const missing = facts()
    .resources.flatMap((one) => [one, ...one.subresources])
    .filter(
      ({ group, version, kind }) =>
        !facts().schemaNames.has(`${group === "" ? "" : `${group}/`}${version} ${kind}`),
    )
    .map(({ kind }) => kind);
  expect(new Set(missing)).toEqual(
    new Set([
      "NodeProxyOptions",
      "PodAttachOptions",
      "PodExecOptions",
      "PodPortForwardOptions",
      "PodProxyOptions",
      "ServiceProxyOptions",
    ]),
  );
});

test("every reference has a target", () => {
  const names = facts().schemas;
  const refs = [...names.values()].flatMap(refsIn);
  expect(refs.length).toBeGreaterThan(1000);
  expect(refs.filter((ref) => !names.has(ref))).toEqual([]);
});

test.each<[string, string, SchemaFacts]>([
  [
    "core.v1.PodSpec",
    "containers",
    {
      type: "array",
      items: { ref: "io.k8s.api.core.v1.Container", default: {} },
      listType: "map",
      listMapKeys: ["name"],
      patchStrategy: ["merge"],
      patchMergeKey: "name",
      written: "always",
    },
  ],
  [
    "core.v1.Container",
    "ports",
    {
      type: "array",
      items: { ref: "io.k8s.api.core.v1.ContainerPort", default: {} },
      listType: "map",
      listMapKeys: ["containerPort", "protocol"],
      patchStrategy: ["merge"],
      patchMergeKey: "containerPort",
    },
  ],
  [
    "core.v1.PodSpec",
    "tolerations",
    { type: "array", items: { ref: "io.k8s.api.core.v1.Toleration", default: {} }, listType: "atomic" },
  ],
  ["core.v1.ContainerPort", "protocol", { type: "string", default: "TCP", enum: ["SCTP", "TCP", "UDP"] }],
  [
    "core.v1.ContainerPort",
    "containerPort",
    { type: "integer", format: "int32", default: 0, written: "always" },
  ],
  ["core.v1.PodSpec", "restartPolicy", { type: "string", enum: ["Always", "Never", "OnFailure"] }],
  ["core.v1.PodSpec", "activeDeadlineSeconds", { type: "integer", format: "int64", pointer: true }],
  [
    "core.v1.PodSpec",
    "nodeSelector",
    { type: "object", additionalProperties: { type: "string", default: "" }, mapType: "atomic" },
  ],
  ["core.v1.Secret", "data", { type: "object", additionalProperties: { type: "string", format: "byte" } }],
  ["core.v1.Pod", "spec", { ref: "io.k8s.api.core.v1.PodSpec", default: {} }],
  [
    "apps.v1.DeploymentSpec",
    "strategy",
    { ref: "io.k8s.api.apps.v1.DeploymentStrategy", default: {}, patchStrategy: ["retainKeys"] },
  ],
  [
    "core.v1.PodSpec",
    "volumes",
    {
      type: "array",
      items: { ref: "io.k8s.api.core.v1.Volume", default: {} },
      listType: "map",
      listMapKeys: ["name"],
      patchStrategy: ["merge", "retainKeys"],
      patchMergeKey: "name",
    },
  ],
])("the facts of %s %s are those of its OpenAPI schema and its Go struct", (schema, field, expected) => {
  expect(facts().schemas.get(`io.k8s.api.${schema}`)?.properties?.[field]).toEqual(expected);
});

test.each<[string, SchemaFacts]>([
  ["api.resource.Quantity", { format: "quantity" }],
  ["util.intstr.IntOrString", { format: "int-or-string" }],
  ["apis.meta.v1.Time", { type: "string", format: "date-time" }],
  ["apis.meta.v1.MicroTime", { type: "string", format: "micro-time" }],
  ["runtime.RawExtension", { type: "object", preserveUnknownFields: true }],
  ["apis.meta.v1.FieldsV1", { type: "object", preserveUnknownFields: true }],
])("%s is recognized by its format", (name, expected) => {
  expect(facts().schemas.get(`io.k8s.apimachinery.pkg.${name}`)).toEqual(expected);
});

test("a schema has its required fields, merge types and unions", () => {
  const selector = facts().schemas.get("io.k8s.api.core.v1.SecretKeySelector");
  expect([selector?.required, selector?.mapType]).toEqual([["key"], "atomic"]);
  expect(facts().schemas.get("io.k8s.api.core.v1.SeccompProfile")?.unions).toEqual([
    { discriminator: "type", "fields-to-discriminateBy": { localhostProfile: "LocalhostProfile" } },
  ]);
});

function resource(group: string, plural: string): ResourceFacts | undefined {
  return facts().resources.find((one) => one.group === group && one.plural === plural);
}

function bodiesOf(plural: string): string[] {
  const { subresources = [] } = resource("", plural) ?? {};
  return subresources.map(({ name, group, version, kind }) => `${name}: ${group}/${version} ${kind}`);
}

function refsIn(schema: SchemaFacts): string[] {
  const inner = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  const refs = inner.flatMap((one) => (one ? refsIn(one) : []));
  return schema.ref === undefined ? refs : [schema.ref, ...refs];
}
