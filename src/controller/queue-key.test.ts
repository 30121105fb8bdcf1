import { expect, test } from "vitest";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { queueKey } from "./queue-key.ts";

test.each([
  { key: "a", expected: "home/a" },
  { key: { name: "a" }, expected: "home/a" },
  { key: { name: "a", namespace: "" }, expected: "home/a" },
  { key: "b/a", expected: "b/a" },
  { key: { name: "a", namespace: "b" }, expected: "b/a" },
  { key: "", expected: "" },
  { key: "a/b/c", expected: "a/b/c" },
])("an object is one key, however it is named: $key", ({ key, expected }) => {
  expect(queueKey(ConfigMap, key, "home")).toBe(expected);
});

test.each([
  { key: "a", expected: "a" },
  { key: { name: "a" }, expected: "a" },
  { key: { name: "a", namespace: "b" }, expected: "a" },
  { key: "b/a", expected: "a" },
  { key: "a/b/c", expected: "a/b/c" },
  { key: "/a", expected: "/a" },
])("where there are no namespaces none counts: $key", ({ key, expected }) => {
  expect(queueKey(Namespace, key, "home")).toBe(expected);
});
