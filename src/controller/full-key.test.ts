import { expect, test } from "vitest";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { queueKey } from "./full-key.ts";

test.each([
  { key: "a", expected: "home/a" },
  { key: { name: "a" }, expected: "home/a" },
  { key: { name: "a", namespace: "" }, expected: "home/a" },
  { key: "b/a", expected: "b/a" },
  { key: { name: "a", namespace: "b" }, expected: "b/a" },
  { key: "", expected: "" },
  { key: "a/b/c", expected: "a/b/c" },
])("an object has one queue key, however its key is written: $key", ({ key, expected }) => {
  expect(queueKey(ConfigMap, key, "home")).toBe(expected);
});

test.each([
  { key: "a", expected: "a" },
  { key: { name: "a" }, expected: "a" },
  { key: { name: "a", namespace: "b" }, expected: "a" },
  { key: "b/a", expected: "a" },
  { key: "a/b/c", expected: "a/b/c" },
  { key: "/a", expected: "/a" },
])("the queue key of a cluster-scoped object has no namespace: $key", ({ key, expected }) => {
  expect(queueKey(Namespace, key, "home")).toBe(expected);
});
