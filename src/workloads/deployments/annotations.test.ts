import { expect, test } from "vitest";
import type { Frozen } from "../../api/index.ts";
import type { Deployment, ReplicaSet } from "../../api/types/apps/v1.ts";
import {
  copiedAnnotations,
  historyAnnotation,
  newestAnnotations,
  newestRevision,
  revisionAnnotation,
} from "./annotations.ts";

const owner = (annotations: Record<string, string>): Frozen<Deployment> => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", uid: "u", resourceVersion: "1", creationTimestamp: "", annotations },
  spec: { selector: {}, template: {} },
});
const set = (annotations: Record<string, string>): Frozen<ReplicaSet> => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web-1", uid: "u", resourceVersion: "1", creationTimestamp: "", annotations },
  spec: { selector: {}, template: {} },
});

test("a ReplicaSet gets the annotations of its Deployment except those of its rollouts", () => {
  const annotations = {
    team: "shop",
    "kubernetes.io/change-cause": "new image",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    "deployment.kubernetes.io/revision": "3",
    "deployment.kubernetes.io/revision-history": "1",
    "deployment.kubernetes.io/desired-replicas": "2",
    "deployment.kubernetes.io/max-replicas": "3",
  };
  expect(copiedAnnotations(owner(annotations))).toEqual({
    team: "shop",
    "kubernetes.io/change-cause": "new image",
  });
});

test("the newest revision is the highest number, and 0 without one", () => {
  expect(newestRevision([])).toBe(0);
  expect(newestRevision(["2", "10", "x"].map((text) => set({ [revisionAnnotation]: text })))).toBe(10);
});

test.each([
  ["its first revision has no history", {}, 1, { [revisionAnnotation]: "1" }],
  ["the highest revision stays", { [revisionAnnotation]: "3" }, 3, { [revisionAnnotation]: "3" }],
  ["a higher one stays", { [revisionAnnotation]: "5" }, 3, { [revisionAnnotation]: "5" }],
  [
    "a rollback remembers the former revision",
    { [revisionAnnotation]: "1" },
    3,
    { [revisionAnnotation]: "3", [historyAnnotation]: "1" },
  ],
  [
    "a further rollback appends it",
    { [revisionAnnotation]: "3", [historyAnnotation]: "1" },
    5,
    { [revisionAnnotation]: "5", [historyAnnotation]: "1,3" },
  ],
] as const)("of the newest ReplicaSet, %s", (...[, before, revision, expected]) => {
  expect(newestAnnotations(owner({}), set(before), revision)).toEqual(expected);
});

test("the history drops its oldest revisions beyond 2,000 characters", () => {
  const history = Array.from({ length: 400 }, (_, index) => String(1000 + index)).join(","); // 1,999 characters
  const { [historyAnnotation]: after } = newestAnnotations(
    owner({}),
    set({ [revisionAnnotation]: "1400", [historyAnnotation]: history }),
    1402,
  );
  expect(after).toBe(`${history.slice("1000,".length)},1400`);
});
