import { expect, test } from "vitest";
import { cachesFilled } from "./caches-filled.ts";

test("controllers that are active or stopped are all right", () => {
  const { name, check } = cachesFilled(() => [
    { name: "a", state: { phase: "active" } },
    { name: "b", state: { phase: "stopped" } },
  ]);
  expect([name, check()]).toEqual(["caches", undefined]);
});

test("those that are not filled, or wait for a kind, are named", () => {
  const { check } = cachesFilled(() => [
    { name: "a", state: { phase: "filling" } },
    { name: "b", state: { phase: "waiting", kinds: ["example.dev/v1 Website"] } },
  ]);
  expect(check).toThrow(
    "expected the caches of every controller to be filled, got a not filled yet; b waiting for example.dev/v1 Website",
  );
});
