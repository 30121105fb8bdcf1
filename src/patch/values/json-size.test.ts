import fc from "fast-check";
import { expect, test } from "vitest";
import { goJson } from "../../schema/index.ts";
import { nested } from "../patches/patch-case.fixture.ts";
import { jsonSize } from "./json-size.ts";
import { jsonValue } from "./json-value.fixture.ts";

const unlimited = Number.POSITIVE_INFINITY;

test("the size of a value is that of the server's encoding", () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      expect(jsonSize(value, unlimited)).toBe(Buffer.byteLength(goJson(value)));
    }),
  );
});

test("the size of a string is that of its escaped bytes", () => {
  const sizes = ["", "é", "<", "&", "\u2028", '"', "\n", "\u0001", "\u{1f600}"].map((text) =>
    jsonSize(text, unlimited),
  );
  expect(sizes).toEqual([2, 4, 8, 8, 8, 4, 4, 8, 6]);
});

test("counting stops beyond the limit", () => {
  const once = {
    get far(): never {
      throw new Error("expected no access beyond the limit");
    },
  };
  expect(jsonSize([once, "x".repeat(100)], 50)).toBeGreaterThan(50);
  expect(jsonSize(nested(100_000), unlimited)).toBe('{"a":}'.length * 100_000 + 1);
});
