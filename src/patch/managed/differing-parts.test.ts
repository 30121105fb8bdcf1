import { expect, test } from "vitest";
import { differingParts } from "./differing-parts.ts";

test("equal fields are removed down to the given depth", () => {
  const live = { kind: "A", spec: { same: [1], gone: 1, inner: { same: 1, was: 1 } }, status: { same: {} } };
  const next = { kind: "A", spec: { same: [1], come: 2, inner: { same: 1, was: 2 } }, status: { same: {} } };

  expect(differingParts({ live, next }, 2)).toEqual({
    live: { spec: { gone: 1, inner: { same: 1, was: 1 } } },
    next: { spec: { come: 2, inner: { same: 1, was: 2 } } },
  });
});

test("a value that changes its shape stays whole on both sides", () => {
  const live = { spec: { a: 1 }, list: [1, 2] };
  const next = { spec: null, list: [1] };

  expect(differingParts({ live, next }, 2)).toEqual({ live, next });
});
