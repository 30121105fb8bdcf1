import { expect, test } from "vitest";
import type { NodeSelectorRequirement, Pod, Taint, Toleration } from "../../api/types/core/v1.ts";
import type { PodView } from "../pods/pod-state.ts";
import { misfits, noFitMessage } from "./filters.ts";
import { type NodeState, NodeUsage } from "./node-state.ts";

function podOf(spec: Partial<Pod["spec"]> = {}): PodView {
  return { metadata: { name: "web", uid: "web" }, spec: { containers: [], ...spec } } as unknown as PodView;
}

function nodeOf(spec: object = {}): NodeState {
  const metadata = { name: "a", labels: { zone: "1", size: "5" } };
  const node = { metadata, spec } as unknown as NodeState["node"];
  return { node, allocatable: new Map([["pods", 2_000_000_000n]]), usage: new NodeUsage() };
}

const noMatch = ["node(s) didn't match Pod's node affinity/selector"];

test.each<[NodeSelectorRequirement, boolean]>([
  [{ key: "zone", operator: "In", values: ["1"] }, true],
  [{ key: "zone", operator: "In", values: ["2"] }, false],
  [{ key: "none", operator: "In", values: ["1"] }, false],
  [{ key: "zone", operator: "NotIn", values: ["1"] }, false],
  [{ key: "none", operator: "NotIn", values: ["1"] }, true],
  [{ key: "zone", operator: "Exists" }, true],
  [{ key: "zone", operator: "DoesNotExist" }, false],
  [{ key: "size", operator: "Gt", values: ["4"] }, true],
  [{ key: "size", operator: "Lt", values: ["5"] }, false],
])("the requirement %o of a node is met: %s", (requirement, met) => {
  const nodeSelectorTerms = [{ matchExpressions: [requirement] }];
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
  expect(misfits(podOf({ affinity }), nodeOf())).toEqual(met ? [] : noMatch);
});

const taint: Taint = { key: "gpu", value: "yes", effect: "NoSchedule" };

test.each<[Toleration, boolean]>([
  [{ key: "gpu", operator: "Exists" }, true],
  [{ operator: "Exists" }, true],
  [{ key: "gpu", value: "yes" }, true],
  [{ key: "gpu", operator: "Equal", value: "no" }, false],
  [{ key: "other", operator: "Exists" }, false],
  [{ key: "gpu", operator: "Exists", effect: "NoExecute" }, false],
])("the toleration %o tolerates a taint: %s", (toleration, tolerated) => {
  const reasons = misfits(podOf({ tolerations: [toleration] }), nodeOf({ taints: [taint] }));
  expect(reasons).toEqual(tolerated ? [] : ["node(s) had untolerated taint {gpu: yes}"]);
});

test("a taint that only asks to avoid the node does not count", () => {
  expect(misfits(podOf(), nodeOf({ taints: [{ ...taint, effect: "PreferNoSchedule" }] }))).toEqual([]);
});

test("a node takes no more Pods than it can", () => {
  const node = nodeOf();
  for (const uid of ["1", "2"]) node.usage.add({ ...podOf(), metadata: { name: uid, uid } } as PodView);
  expect(misfits(podOf(), node)).toEqual(["Too many pods"]);
});

test.each<[string[][], string]>([
  [[], "no nodes available to schedule pods"],
  [
    [["Insufficient cpu", "Insufficient memory"], ["Insufficient cpu"], ["node(s) were unschedulable"]],
    "0/3 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable, 2 Insufficient cpu.",
  ],
])("the message for %o counts the nodes of each reason", (reasons, message) => {
  expect(noFitMessage(reasons)).toBe(message);
});
