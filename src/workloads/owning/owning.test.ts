import { describe, expect, test } from "vitest";
import { slowStart } from "./slow-start.ts";
import { statusPatch } from "./status-patch.ts";
import { canonicalJson, templateHash } from "./template-hash.ts";

describe("slow start", () => {
  test("makes calls in batches of 1, 2, 4 and the rest", async () => {
    const batches: number[][] = [];
    const open: number[] = [];
    const result = await slowStart(9, async (index) => {
      if (open.length === 0) queueMicrotask(() => batches.push(open.splice(0)));
      open.push(index);
    });
    expect(batches).toEqual([[0], [1, 2], [3, 4, 5, 6], [7, 8]]);
    expect(result).toEqual({ succeeded: 9, error: undefined });
  });

  test("stops after the batch that fails, with its first error", async () => {
    const calls: number[] = [];
    const refused = new Error("refused");
    const result = await slowStart(100, (index) => {
      calls.push(index);
      return index < 4 ? Promise.resolve() : Promise.reject(refused);
    });
    expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(result).toEqual({ succeeded: 4, error: refused });
  });

  test("makes no call for nothing", async () => {
    expect(await slowStart(0, () => Promise.reject(new Error("called")))).toEqual({
      succeeded: 0,
      error: undefined,
    });
  });
});

describe("a status patch", () => {
  test.each([
    [
      "is absent for an equal status",
      { replicas: 1, conditions: [{ type: "A" }] },
      { conditions: [{ type: "A" }], replicas: 1 },
      undefined,
    ],
    ["ignores fields that are undefined", { replicas: 1 }, { replicas: 1, ready: undefined }, undefined],
    ["ignores undefined fields inside", { list: [{ a: 1 }] }, { list: [{ a: 1, b: undefined }] }, undefined],
    [
      "has the changed fields only",
      { replicas: 1, ready: 1 },
      { replicas: 2, ready: 1 },
      { status: { replicas: 2 } },
    ],
    ["removes fields", { replicas: 1, ready: 1 }, { replicas: 1 }, { status: { ready: null } }],
    ["creates a status", undefined, { replicas: 0 }, { status: { replicas: 0 } }],
    ["has whole lists", { list: [1, 2] }, { list: [1] }, { status: { list: [1] } }],
  ] as const)("%s", (...[, before, after, expected]) => {
    expect(statusPatch(before, after)).toEqual(expected);
  });
});

describe("the hash of a template", () => {
  test("does not depend on the order of fields", () => {
    const hash = templateHash({ a: 1, b: { c: 2, d: [1, 2] } }, undefined);
    expect(templateHash({ b: { d: [1, 2], c: 2 }, a: 1 }, undefined)).toBe(hash);
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  });

  test("differs for other templates, other orders of lists, and after a collision", () => {
    const hashes = [
      templateHash({ a: [1, 2] }, undefined),
      templateHash({ a: [2, 1] }, undefined),
      templateHash({ a: [1, 2] }, 1),
      templateHash({ a: [1, 2] }, 2),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(templateHash({ a: [1, 2] }, 0)).toBe(hashes[0]);
  });

  test("is that of JSON without undefined fields", () => {
    expect(canonicalJson({ b: undefined, a: null })).toBe('{"a":null}');
  });
});
