import { expect, test } from "vitest";
import { facts } from "../../api/types/facts.ts";
import { atomicNode, child, deducedNode, elementOf, type SchemaNode } from "./schema-node.ts";
import { objectMetaNode, typedNode } from "./typed-node.ts";

/** Walks to a place of a kind. `[]` is an element of the list before it. */
function at(group: string, kind: string, path: string): SchemaNode | undefined {
  const root = typedNode({ group, version: "v1", kind });
  return path
    .split(".")
    .reduce(
      (node: SchemaNode | undefined, step) => node && (step === "[]" ? elementOf(node) : child(node, step)),
      root,
    );
}

const container = "spec.template.spec.containers.[]";

test("a list of a Pod has the keys of apply and of a strategic merge patch", () => {
  expect(at("apps", "Deployment", `${container}.ports`)?.list).toMatchObject({
    type: "map",
    keys: ["containerPort", "protocol"],
    patchStrategy: ["merge"],
    patchMergeKey: "containerPort",
  });
  expect(at("apps", "Deployment", `${container}.args`)?.list).toMatchObject({
    type: "atomic",
    keys: [],
    patchStrategy: [],
  });
  expect(at("", "ConfigMap", "metadata.finalizers")?.list).toMatchObject({
    type: "set",
    patchStrategy: ["merge"],
  });
  expect(at("", "Pod", "spec.volumes")?.list?.patchStrategy).toEqual(["merge", "retainKeys"]);
});

test("keywords beside a reference take precedence over the referenced schema", () => {
  expect(at("apps", "Deployment", "spec.strategy")?.object).toMatchObject({
    type: "granular",
    patchStrategy: ["retainKeys"],
  });
  expect(at("apps", "Deployment", "spec.selector")?.object?.type).toBe("atomic");
  expect(at("", "Pod", "spec.nodeSelector")?.object?.type).toBe("atomic");
});

test("undeclared fields have no node, and keys of maps have the node of the values", () => {
  expect(at("apps", "Deployment", "spec.foo")).toBeUndefined();
  expect(at("apps", "Deployment", "spec.toString")).toBeUndefined();
  expect(at("", "ConfigMap", "data.any")?.scalar).toBe("string");
});

test("scalars have the type by which they are compared", () => {
  expect(at("apps", "Deployment", "spec.replicas")?.scalar).toBe("number");
  expect(at("apps", "Deployment", "spec.paused")?.scalar).toBe("boolean");
  expect(at("apps", "Deployment", `${container}.image`)?.scalar).toBe("string");
  expect(at("apps", "Deployment", `${container}.resources.limits.cpu`)?.scalar).toBe("scalar");
  expect(at("", "Pod", "metadata.creationTimestamp")?.scalar).toBe("scalar");
  expect(at("apps", "Deployment", "spec.strategy.rollingUpdate.maxSurge")?.scalar).toBe("untyped");
});

test("an optional key has its default", () => {
  expect(at("apps", "Deployment", `${container}.ports.[].protocol`)?.default).toBe("TCP");
});

test("JSON of any type is deduced, and embedded objects of any kind are one value", () => {
  expect(at("apps", "ControllerRevision", "data")).toBe(atomicNode);
  expect(
    at("apiextensions.k8s.io", "CustomResourceDefinition", "spec.versions.[].schema.openAPIV3Schema.default"),
  ).toBe(deducedNode);
});

test("the same place has the same node, also in a recursive type", () => {
  const schema = at(
    "apiextensions.k8s.io",
    "CustomResourceDefinition",
    "spec.versions.[].schema.openAPIV3Schema",
  );
  expect(schema).toBeDefined();
  expect(child(child(schema ?? {}, "properties") ?? {}, "any")?.object?.fields).toBeDefined();
  expect(at("", "Pod", "metadata.labels")).toBe(at("apps", "Deployment", "metadata.labels"));
  expect(child(objectMetaNode(), "labels")).toBe(at("", "Pod", "metadata.labels"));
});

test("every served kind has a node, and an unknown kind has none", () => {
  const missing = facts().resources.filter((resource) => !typedNode(resource));
  expect(missing).toEqual([]);
  expect(typedNode({ group: "example.dev", version: "v1", kind: "Foo" })).toBeUndefined();
});
