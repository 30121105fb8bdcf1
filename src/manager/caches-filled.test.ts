import { expect, test } from "vitest";
import { cachesFilled } from "./caches-filled.ts";

test("controllers that are active or stopped are all right", () => {
  const { name, check } = cachesFilled(() => [
    { name: "a", state: { phase: "active" } },
    { name: "b", state: { phase: "stopped" } },
  ]);
  expect([name, check()]).toEqual(["caches", undefined]);
});

test("controllers that are not filled are named; those that wait for a kind, or fill its cache, are not", () => {
  const { check } = cachesFilled(() => [
    { name: "a", state: { phase: "filling" } },
    { name: "b", state: { phase: "waiting", kinds: ["example.dev/v1 Website"] } },
    { name: "c", state: { phase: "filling", awaited: true } },
  ]);
  expect(check).toThrow("expected the caches of every controller to be filled, got a not filled yet");
});
