import { expect, test } from "vitest";
import type { Frozen } from "../../api/index.ts";
import type { Deployment } from "../../api/types/apps/v1.ts";
import { boundsOf } from "./bounds.ts";

test.each([
  ["surge is rounded up, and unavailable down", 10, { maxSurge: "25%", maxUnavailable: "25%" }, [3, 2]],
  ["the default is a quarter", 4, {}, [1, 1]],
  ["one replica may be unavailable if both are 0", 10, { maxSurge: 0, maxUnavailable: 0 }, [0, 1]],
  ["percentages that round to 0 count as 0", 1, { maxSurge: "0%", maxUnavailable: "25%" }, [0, 1]],
  ["no more replicas than exist are unavailable", 3, { maxSurge: 0, maxUnavailable: 10 }, [0, 3]],
  ["without replicas, none is unavailable", 0, { maxSurge: 0, maxUnavailable: 0 }, [0, 0]],
  ["whole numbers are exact", 10, { maxSurge: 4, maxUnavailable: 3 }, [4, 3]],
] as const)("%s", (...[, replicas, rollingUpdate, [surge, unavailable]]) => {
  expect(boundsOf(deployment(replicas, { type: "RollingUpdate", rollingUpdate }))).toEqual({
    replicas,
    surge,
    unavailable,
  });
});

test("Recreate has neither", () => {
  expect(boundsOf(deployment(5, { type: "Recreate" }))).toEqual({ replicas: 5, surge: 0, unavailable: 0 });
});

function deployment(replicas: number, strategy: Deployment["spec"]["strategy"]): Frozen<Deployment> {
  const spec = { replicas, strategy, selector: {}, template: {} };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", uid: "u", resourceVersion: "1", creationTimestamp: "" },
    spec,
  };
}
