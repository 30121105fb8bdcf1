import { expect, test } from "vitest";
import { canonicalBase64 } from "./canonical-base64.ts";

test("base64 is stored without line breaks and unused bits", () => {
  expect(["YQ==", "YWJj\n", "YWJj\r\nZA==", "YR==", ""].map(canonicalBase64)).toEqual([
    "YQ==",
    "YWJj",
    "YWJjZA==",
    "YQ==",
    "",
  ]);
});

const problems: ReadonlyArray<readonly [string, number]> = [
  ["YQ=", 3],
  ["YQ", 0],
  ["Y", 0],
  ["YW Jj", 2],
  ["YQ==x", 4],
  ["YQ=x", 2],
  ["=", 0],
  ["A===", 1],
  ["YWJ=YWJj", 4],
  ["YWJj????", 4],
  ["a-b_", 1],
];

test.each(problems)("%j is not base64 at byte %d", (text, offset) => {
  expect(() => canonicalBase64(text)).toThrow(`illegal base64 data at input byte ${offset}`);
});
