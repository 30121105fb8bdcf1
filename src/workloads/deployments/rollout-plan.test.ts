import { describe, expect, test } from "vitest";
import type { Frozen } from "../../api/index.ts";
import type { ReplicaSet } from "../../api/types/apps/v1.ts";
import { desiredAnnotation, maxAnnotation } from "./annotations.ts";
import { newestSize, oldScalings, proportionalScalings, type Scaling } from "./rollout-plan.ts";

interface Row {
  readonly size: number;
  readonly available?: number;
  /** Replicas of the Deployment when the set was last scaled, and the most that it could have. */
  readonly recorded?: readonly [desired: number, max: number];
}

/** Returns a ReplicaSet; later names are younger. */
function set(name: string, { size, available = size, recorded }: Row): Frozen<ReplicaSet> {
  const annotations = recorded && {
    [desiredAnnotation]: String(recorded[0]),
    [maxAnnotation]: String(recorded[1]),
  };
  const creationTimestamp = `2026-01-01T00:00:${String(name.charCodeAt(0) - 97).padStart(2, "0")}Z`;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, uid: "u", resourceVersion: "1", annotations, creationTimestamp },
    spec: { replicas: size, selector: {}, template: {} },
    status: { replicas: size, availableReplicas: available },
  };
}

function sizes(scalings: readonly Scaling[]): Record<string, number> {
  return Object.fromEntries(scalings.map(({ set: { metadata }, replicas }) => [metadata.name, replicas]));
}

describe("the newest ReplicaSet grows by the room that surge leaves", () => {
  test.each([
    { existing: 0, others: 10, bounds: [10, 3], size: 3 },
    { existing: 3, others: 8, bounds: [10, 3], size: 5 },
    { existing: 9, others: 1, bounds: [10, 3], size: 10 },
    { existing: 3, others: 10, bounds: [10, 3], size: 3 },
    { existing: 3, others: 12, bounds: [10, 3], size: 3 },
    { existing: 12, others: 0, bounds: [10, 3], size: 10 },
    { existing: 0, others: 0, bounds: [0, 0], size: 0 },
  ] as const)("$existing beside $others becomes $size", ({ existing, others, bounds, size }) => {
    const [replicas, surge] = bounds;
    expect(newestSize(existing, others, { replicas, surge, unavailable: 0 })).toBe(size);
  });
});

describe("old ReplicaSets shrink, oldest first, as far as enough Pods stay available", () => {
  const bounds = { replicas: 10, surge: 3, unavailable: 2 };
  test.each([
    ["the allowed unavailable replicas", { n: { size: 3, available: 0 }, a: { size: 10 } }, { a: 8 }],
    ["nothing if too few are available", { n: { size: 5, available: 0 }, a: { size: 8 } }, {}],
    ["as many as became available", { n: { size: 5 }, a: { size: 8 } }, { a: 3 }],
    [
      "unavailable Pods first",
      { n: { size: 3, available: 0 }, a: { size: 4 }, b: { size: 6, available: 4 } },
      { b: 4 },
    ],
    ["oldest first", { n: { size: 5 }, a: { size: 4 }, b: { size: 4 } }, { a: 0, b: 3 }],
    ["nothing if no old replica is left", { n: { size: 13 }, a: { size: 0 } }, {}],
    ["all of them at the end", { n: { size: 10 }, a: { size: 2 } }, { a: 0 }],
  ] as const)("%s", (_, { n, ...old }, expected) => {
    const generations = {
      newest: set("n", n),
      old: Object.entries(old).map(([name, row]) => set(name, row)),
    };
    expect(sizes(oldScalings(generations, bounds))).toEqual(expected);
  });
});

describe("a changed number of replicas is distributed", () => {
  const recorded = [10, 13] as const;
  test.each([
    ["to the only active set", 20, { n: { size: 10 }, a: { size: 0 } }, { n: 20 }],
    ["to the newest set if none is active", 5, { n: { size: 0 }, a: { size: 0 } }, { n: 5 }],
    ["to the youngest old set if there is no newest", 5, { a: { size: 0 }, b: { size: 0 } }, { b: 5 }],
    ["not at all if the newest set has it already", 10, { n: { size: 10, recorded }, a: { size: 0 } }, {}],
    [
      "by ending the old sets if the newest has all replicas",
      10,
      { n: { size: 10, recorded }, a: { size: 3 } },
      { a: 0 },
    ],
    [
      "in proportion when it grows",
      15,
      { n: { size: 5, available: 0, recorded }, a: { size: 8, recorded } },
      { n: 7, a: 12 },
    ],
    [
      "in proportion when it shrinks",
      5,
      { n: { size: 5, available: 0, recorded }, a: { size: 8, recorded } },
      { n: 3, a: 4 },
    ],
    [
      "to 0 everywhere",
      0,
      { n: { size: 5, available: 0, recorded }, a: { size: 8, recorded } },
      { n: 0, a: 0 },
    ],
    [
      "largest set first",
      12,
      { a: { size: 4, recorded }, b: { size: 4, recorded }, n: { size: 5, available: 0, recorded } },
      { a: 4, b: 5, n: 6 },
    ],
    [
      "with the rest for the youngest of the largest sets",
      8,
      {
        a: { size: 3, recorded: [7, 9] },
        b: { size: 3, recorded: [7, 9] },
        n: { size: 3, available: 0, recorded: [7, 9] },
      },
      { a: 3, b: 3, n: 4 },
    ],
  ] as const)("%s", (...[, replicas, rows, expected]) => {
    const { n, ...old }: Readonly<Record<string, Row>> = rows;
    const generations = {
      newest: n && set("n", n),
      old: Object.entries(old).map(([name, row]) => set(name, row)),
    };
    const bounds = { replicas, surge: replicas === 0 ? 0 : Math.ceil(replicas / 4), unavailable: 0 };
    expect(sizes(proportionalScalings(generations, bounds, true))).toEqual(expected);
  });

  test("not in proportion if the strategy is Recreate", () => {
    const generations = { newest: set("n", { size: 5, available: 0 }), old: [set("a", { size: 8 })] };
    expect(proportionalScalings(generations, { replicas: 20, surge: 0, unavailable: 0 }, false)).toEqual([]);
  });

  test("to the younger of equal sets when it grows, and from the older when it shrinks", () => {
    const generations = {
      newest: set("n", { size: 5, available: 0, recorded: [10, 10] }),
      old: [set("a", { size: 5, recorded: [10, 10] })],
    };
    const scalingsFor = (replicas: number) =>
      sizes(proportionalScalings(generations, { replicas, surge: 0, unavailable: 0 }, true));
    expect([scalingsFor(11), scalingsFor(9)]).toEqual([
      { n: 6, a: 5 },
      { n: 5, a: 4 },
    ]);
  });
});
