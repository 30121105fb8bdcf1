import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

const lines = (...all: string[]): string => all.join("\n");

test("a changed line has three lines of context on both sides", () => {
  const before = lines("1", "2", "3", "4", "5", "6", "7", "8", "9");
  const after = before.replace("5", "five");
  expect(lineDiff(before, after)).toBe("@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
});

test("distant changes are separate hunks, close ones share a hunk", () => {
  const before = Array.from({ length: 20 }, (_, at) => String(at)).join("\n");
  const far = before.replace("\n2\n", "\ntwo\n").replace("\n17\n", "\n");
  expect(lineDiff(before, far)).toBe(
    "@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -15,6 +15,5 @@\n 14\n 15\n 16\n-17\n 18\n 19\n",
  );
  const close = before.replace("\n2\n", "\ntwo\n").replace("\n6\n", "\nsix\n");
  expect(lineDiff(before, close)).toContain("-2\n+two\n 3\n 4\n 5\n-6\n+six\n");
});

test("equal texts have no difference", () => {
  expect(lineDiff("a\nb", "a\nb")).toBe("");
});

test("in very long texts, equal lines at both ends are matched", () => {
  const before = Array.from({ length: 40_000 }, (_, at) => `${at}`);
  const after = before.map((line, at) =>
    at % 2 === 1 && at > 100 && at < 39_900 ? `${line} changed` : line,
  );
  const diff = lineDiff(before.join("\n"), after.join("\n"));
  expect(diff.startsWith("@@ -99,39805 +99,39805 @@\n 98\n 99\n 100\n")).toBe(true);
  expect(diff.endsWith("\n 39900\n 39901\n 39902\n")).toBe(true);
});
