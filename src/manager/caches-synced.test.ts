import { expect, test } from "vitest";
import { cachesSynced } from "./caches-synced.ts";

test("active and stopped controllers pass the check", () => {
  const { name, check } = cachesSynced(() => [
    { name: "a", state: { phase: "active" } },
    { name: "b", state: { phase: "stopped" } },
  ]);
  expect([name, check()]).toEqual(["caches", undefined]);
});

test("controllers whose caches have not synced are named, except those that wait for a kind or resume after one", () => {
  const { check } = cachesSynced(() => [
    { name: "a", state: { phase: "syncing" } },
    { name: "b", state: { phase: "waiting", kinds: ["example.dev/v1 Website"] } },
    { name: "c", state: { phase: "syncing", awaited: true } },
  ]);
  expect(check).toThrow("expected the caches of every controller to be synced, got a not synced");
});
