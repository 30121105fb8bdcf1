import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  printQuantity,
} from "./quantity.ts";

test.each([
  ["0", "0"],
  ["-0", "0"],
  ["0Gi", "0"],
  ["1", "1"],
  ["1000", "1k"],
  ["1000k", "1M"],
  ["1500m", "1500m"],
  ["1.5", "1500m"],
  ["0.5", "500m"],
  [".5", "500m"],
  ["5.", "5."],
  ["1e3", "1e3"],
  ["1E3", "1E3"],
  ["1000e3", "1e6"],
  ["100e-3", "100e-3"],
  ["1e-10", "1e-9"],
  ["1E", "1E"],
  ["1024Mi", "1Gi"],
  ["1024", "1024"],
  ["1536Ki", "1536Ki"],
  ["1.5Gi", "1536Mi"],
  ["0.5Ki", "512"],
  ["1023Ki", "1023Ki"],
  ["1.0001Ki", "1024102400u"],
  ["0.1Ki", "102400m"],
  ["16Ei", "9223372036854775807"],
  ["-16Ei", "-9223372036854775807"],
  ["0.1n", "1n"],
  ["-0.1n", "-1n"],
  ["1.0000000001", "1000000001n"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["123456789012345678901000", "123456789012345678901k"],
  ["-1500m", "-1500m"],
  ["+1", "+1"],
  ["010", "010"],
  ["1.500", "1.500"],
])("the server returns %s as %s", (quantity, canonical) => {
  expect(canonicalQuantity(quantity)).toBe(canonical);
});

test("an amount beyond the largest suffix keeps its value", () => {
  expect(canonicalQuantity("1000E")).toBe("1000E");
  expect(printQuantity({ nano: (10n ** 9n) << 80n, format: "binary" })).toBe("1048576Ei");
});

test("a JSON number is a quantity", () => {
  expect([1, 0.5, 1000, 1e21, -2].map(canonicalQuantity)).toEqual(["1", "500m", "1k", "1e+21", "-2"]);
});

test.each([
  "",
  " ",
  "1 ",
  "k",
  ".",
  "+",
  "1K",
  "1mi",
  "1kk",
  "1e",
  "1e1.5",
  "1.2.3",
  "--1",
  "0x1",
  "1Gi2",
  "1e1000",
  "١",
])("%j is not a quantity", (text) => {
  expect(() => parseQuantity(text)).toThrow(
    `expected a quantity like "1", "500m", "1.5Gi" or "1e3", got ${JSON.stringify(text)}`,
  );
});

test("an amount is in billionths, rounded away from zero, and keeps its format", () => {
  expect(["1", "1Ki", "1e3", "-0.1n", "0.5Ki", "0.0005Ki", "1e-99999"].map(parseQuantity)).toEqual([
    { nano: 1_000_000_000n, format: "decimal" },
    { nano: 1_024_000_000_000n, format: "binary" },
    { nano: 1_000_000_000_000n, format: "exponent" },
    { nano: -1n, format: "decimal" },
    { nano: 512_000_000_000n, format: "binary" },
    { nano: 512_000_000n, format: "decimal" },
    { nano: 1n, format: "exponent" },
  ]);
});

test("quantities are compared by amount", () => {
  expect(compareQuantities("1Gi", "1024Mi")).toBe(0);
  expect(compareQuantities("1G", "1Gi")).toBe(-1);
  expect(compareQuantities("0.1", "99m")).toBe(1);
  expect(compareQuantities(1, "1000m")).toBe(0);
  expect(compareQuantities("-1", "1n")).toBe(-1);
  expect(compareQuantities("123456789012345678901", "123456789012345678900")).toBe(1);
});

test("a sum has the format of its first non-zero term", () => {
  expect(addQuantities("1Gi", "1G")).toBe("2073741824");
  expect(addQuantities("512Mi", "512Mi")).toBe("1Gi");
  expect(addQuantities("0", "512Mi")).toBe("512Mi");
  expect(addQuantities("250m", "0.75")).toBe("1");
  expect(addQuantities("1e3", "1k")).toBe("2e3");
  expect(addQuantities("1Ki", "1m")).toBe("1024001m");
  expect(addQuantities("1", "-1")).toBe("0");
});

const amounts = fc.record({
  nano: fc.bigInt({ min: -(1n << 90n), max: 1n << 90n }),
  format: fc.constantFrom("decimal", "binary", "exponent"),
});

test("a printed amount parses to the same amount and is canonical", () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const text = printQuantity(amount);
      expect(parseQuantity(text).nano).toBe(amount.nano);
      expect(canonicalQuantity(text)).toBe(text);
    }),
  );
});

test("the canonical form has the same amount and is canonical itself", () => {
  const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "e3", "e-2", "E5");
  const text = fc.tuple(fc.nat(), fc.option(fc.nat({ max: 9999 })), suffix);
  fc.assert(
    fc.property(text, ([whole, fraction, end]) => {
      const quantity = `${whole}${fraction === null ? "" : `.${fraction}`}${end}`;
      const canonical = canonicalQuantity(quantity);
      expect(compareQuantities(canonical, quantity)).toBe(0);
      expect(canonicalQuantity(canonical)).toBe(canonical);
    }),
  );
});
