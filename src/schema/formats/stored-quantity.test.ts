import { expect, test } from "vitest";
import { storedQuantity } from "./stored-quantity.ts";

/** Quantities as written, and as kube-apiserver stores them. */
const quantities: ReadonlyArray<readonly [string, string]> = [
  ["1", "1"],
  ["0.5", "500m"],
  ["1.5", "1500m"],
  ["1000", "1k"],
  ["1024", "1024"],
  ["1k", "1k"],
  ["1000k", "1M"],
  ["1Ki", "1Ki"],
  ["1024Ki", "1Mi"],
  ["0.5Ki", "512"],
  ["1.5Gi", "1536Mi"],
  ["0.1Ki", "102400m"],
  ["100m", "100m"],
  ["1000m", "1"],
  ["1500m", "1500m"],
  ["1e3", "1e3"],
  ["1e4", "10e3"],
  ["12e6", "12e6"],
  ["1E", "1E"],
  ["1E3", "1E3"],
  ["1e-3", "1e-3"],
  ["0", "0"],
  ["-0", "0"],
  ["00", "0"],
  ["007", "007"],
  ["+5", "+5"],
  ["1.", "1."],
  [".", "0"],
  [".5", "500m"],
  ["1n", "1n"],
  ["0.1n", "1n"],
  ["1u", "1u"],
  ["123456789123456789", "123456789123456789"],
  ["9223372036854775807", "9223372036854775807"],
  ["9223372036854775808", "9223372036854775808"],
  ["1Ei", "1Ei"],
  ["8Ei", "9223372036854775807"],
  ["10E", "10E"],
  ["1e30", "1e30"],
  ["0.0000000001", "1n"],
  [" 1 ", "1"],
  ["0.1", "100m"],
  ["1e+3", "1e+3"],
  ["1E+3", "1E+3"],
  ["1.0", "1"],
  ["1.50", "1500m"],
  ["1000000", "1M"],
  ["1000001", "1000001"],
  ["3.000", "3"],
  ["0.001", "1m"],
  ["0.0005", "500u"],
  ["5e-1", "500e-3"],
  ["100e-2", "1"],
  ["8Ki", "8Ki"],
  ["16Ki", "16Ki"],
  ["1025Ki", "1025Ki"],
  ["1048576Ki", "1Gi"],
  ["1.25Ki", "1280"],
  ["1.1Ki", "1126400m"],
  ["1023Ki", "1023Ki"],
  ["0.001Ki", "1024m"],
  ["2048", "2048"],
  ["1000Ki", "1000Ki"],
  ["0.9Ki", "921600m"],
  ["1e18", "1e18"],
  ["1e19", "10e18"],
  ["1000000e-3", "1e3"],
  ["100k", "100k"],
  ["0.1k", "100"],
  ["1.5k", "1500"],
  ["0010", "0010"],
  ["1000000000000000000000", "1"],
  ["1e-9", "1e-9"],
  ["1e-10", "1e-9"],
  ["15e-10", "2e-9"],
  ["0e5", "0"],
  ["0Ki", "0"],
  ["0.0", "0"],
  ["0m", "0"],
  ["500e6", "500e6"],
  ["1e999", "1e999"],
];

test("a quantity is stored without a fraction and in its largest unit, and a canonical one is unchanged", () => {
  expect(quantities.map(([text]) => [text, storedQuantity(text)])).toEqual(quantities);
});

test("a stored quantity is unchanged", () => {
  const stored = quantities.map(([, text]) => text);
  expect(stored.map(storedQuantity)).toEqual(stored);
});

test("a string that is not a quantity is refused with kube-apiserver's message", () => {
  const format =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const text of ["", "abc", "1KiB", "1 Gi", "1x"]) expect(() => storedQuantity(text)).toThrow(format);
  for (const text of ["1mm", "1ee3", "1e", "1m5", "1Mi5"])
    expect(() => storedQuantity(text)).toThrow("unable to parse quantity's suffix");
});

test("a large exponent takes no time", () => {
  expect(storedQuantity("5e-999999999")).toBe("1e-9");
  expect(storedQuantity("10e999999998")).toBe("1e999999999");
});

test("a quantity of more than 10,000 characters is refused", () => {
  expect(storedQuantity("1".repeat(10_000))).toBe("1".repeat(10_000));
  expect(() => storedQuantity("1".repeat(10_001))).toThrow("quantities must have at most 10000 characters");
});
