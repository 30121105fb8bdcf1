import { expect, test } from "vitest";
import { cachesSynced } from "./caches-synced.ts";

test("active and stopped controllers pass the check", () => {
  const { name, check } = cachesSynced(() => [
    { name: "a", state: { phase: "active" } },
    { name: "b", state: { phase: "stopped" } },
  ]);
  expect([name, check()]).toEqual(["caches", undefined]);
});

test("controllers that are not filled are named; those that wait for a kind, or fill its cache, are not", () => {
  const { check } = cachesSynced(() => [
    { name: "a", state: { phase: "syncing" } },
    { name: "b", state: { phase: "waiting", kinds: ["example.dev/v1 Website"] } },
    { name: "c", state: { phase: "syncing", awaited: true } },
  ]);
  expect(check).toThrow("expected the caches of every controller to be synced, got a not synced");
});
