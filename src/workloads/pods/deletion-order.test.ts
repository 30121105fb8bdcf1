import { expect, test } from "vitest";
import type { Pod } from "../../api/types/core/v1.ts";
import { timestamp } from "../../base/index.ts";
import { inDeletionOrder } from "./deletion-order.ts";
import type { PodView } from "./pod-state.ts";

const nowMs = 1_800_000_000_000;
const ago = (seconds: number): string => timestamp(nowMs - seconds * 1_000);

interface Row {
  readonly node?: string;
  readonly phase?: NonNullable<Pod["status"]>["phase"];
  /** Seconds since the Pod became ready. @default not ready */
  readonly readyFor?: number;
  readonly cost?: string;
  readonly restarts?: number;
  /** Seconds since the Pod was created. @default 1,000 */
  readonly age?: number;
}

function pod(
  uid: string,
  { node, phase = "Running", readyFor, cost, restarts = 0, age = 1_000 }: Row,
): PodView {
  const annotations = cost === undefined ? undefined : { "controller.kubernetes.io/pod-deletion-cost": cost };
  const ready = { type: "Ready", status: "True", lastTransitionTime: ago(readyFor ?? 0) } as const;
  const status: Pod["status"] = {
    phase,
    conditions: readyFor === undefined ? [] : [ready],
    containerStatuses: [{ name: "web", image: "", imageID: "", ready: true, restartCount: restarts }],
  };
  const metadata = { name: uid, uid, resourceVersion: "1", annotations, creationTimestamp: ago(age) };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: node, containers: [] }, status };
}

const ready = { node: "n", readyFor: 500 };

// The first Pod of each row is deleted first. Its uid is the higher one, so that the uid alone does not decide.
test.each<[string, Row, Row]>([
  ["not assigned before assigned", {}, { node: "n", phase: "Pending" }],
  ["pending before unknown", { node: "n", phase: "Pending" }, { node: "n", phase: "Unknown" }],
  ["unknown before running", { node: "n", phase: "Unknown" }, { node: "n" }],
  ["not ready before ready, even at a high cost", { node: "n", cost: "9" }, ready],
  ["a low cost before none", { ...ready, cost: "-1" }, ready],
  ["no cost before a high one", ready, { ...ready, cost: "10" }],
  [
    "on the fuller node, even if ready for longer",
    { ...ready, node: "full", readyFor: 900 },
    { ...ready, readyFor: 1 },
  ],
  ["ready for a shorter time", { ...ready, readyFor: 1 }, ready],
  ["more restarts", { ...ready, restarts: 2 }, { ...ready, restarts: 1 }],
  ["created later", { ...ready, age: 1 }, { ...ready, age: 1_000 }],
])("Pods are deleted first that are %s", (_, first, last) => {
  const order = { related: (node: string) => (node === "full" ? 2 : 1), nowMs };
  const [high, low] = [pod("b", first), pod("a", last)];
  expect(inDeletionOrder([low, high], order)).toEqual([high, low]);
  expect(inDeletionOrder([high, low], order)).toEqual([high, low]);
});

test("Pods that became ready at similar times are deleted in the order of their uids, not of their restarts", () => {
  const pods = [pod("b", { ...ready, readyFor: 400, restarts: 5 }), pod("a", { ...ready, readyFor: 410 })];
  expect(inDeletionOrder(pods, { related: () => 1, nowMs }).map(({ metadata }) => metadata.uid)).toEqual([
    "a",
    "b",
  ]);
});
