import { expect, test } from "vitest";
import { Warnings } from "./warnings.ts";

function headersOf(texts: readonly string[]): string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers;
}

const numbered = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, "x"));
const header = (text: string): string => `299 - "${text}"`;

test("a warning is reported once, in the order of the first report", () => {
  expect(headersOf(["b", "a", "", "b"])).toEqual([header("b"), header("a")]);
});

test("warnings of 4096 characters in total are sent whole", () => {
  const texts = numbered(4, 1024);
  expect(headersOf(texts)).toEqual(texts.map(header));
});

test("above 4096 characters in total, every warning is cut to 256", () => {
  const texts = [...numbered(4, 1024), "one more"];
  expect(headersOf(texts)).toEqual(texts.map((text) => header(text.slice(0, 256))));
});

test("warnings are dropped once the cut texts have 4096 characters", () => {
  const texts = numbered(100_000, 300);
  expect(headersOf(texts)).toEqual(texts.slice(0, 16).map((text) => header(text.slice(0, 256))));
});

test("short warnings are dropped once there are more than 4096 characters of them", () => {
  const texts = numbered(1_000, 10);
  expect(headersOf(texts)).toEqual(texts.slice(0, 410).map(header));
});

test("characters are counted, not UTF-16 units", () => {
  const text = "🙂".repeat(300);
  expect(headersOf([text, "a"])).toEqual([header(text), header("a")]);
  expect(headersOf([text, "b".repeat(4096)])).toEqual([header("🙂".repeat(256)), header("b".repeat(256))]);
});

test("a warning with control characters is not sent", () => {
  expect(headersOf(["two\nlines", " spaces "])).toEqual([header(" spaces ")]);
});
