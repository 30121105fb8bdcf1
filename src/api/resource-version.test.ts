import fc from "fast-check";
import { expect, test } from "vitest";
import { compareResourceVersions, isNewer } from "./resource-version.ts";

test("resource versions are ordered as numbers of any length", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 90n }), fc.bigInt({ min: 0n, max: 1n << 90n }), (a, b) => {
      const order = Math.sign(compareResourceVersions(`${a}`, `${b}`));
      expect(order).toBe(a < b ? -1 : a > b ? 1 : 0);
      expect(isNewer(`${a}`, `${b}`)).toBe(a > b);
    }),
  );
});

test("numbers beyond the precision of a double are distinguished", () => {
  expect(isNewer("9007199254740993", "9007199254740992")).toBe(true);
  expect(isNewer("9", "10")).toBe(false);
  expect(compareResourceVersions("0", "0")).toBe(0);
});

test.each(["", "01", "00", "-1", "1.0", "1e3", " 1", "0x1", "abc", "１"])(
  "%j is not a resource version",
  (version) => {
    const text = `expected a resourceVersion as a decimal number without leading zeros, got ${JSON.stringify(version)}`;
    expect(() => compareResourceVersions(version, "1")).toThrow(text);
    expect(() => compareResourceVersions("1", version)).toThrow(text);
  },
);
