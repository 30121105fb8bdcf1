import { expect, test } from "vitest";
import { read, trackedFiles } from "./repository.ts";

/** Letters in brackets keep these patterns from finding themselves. */
const foreign: Readonly<Record<string, RegExp>> = {
  "a path of one machine": /\/[w]ork\/|\/[t]mp\/[a-z]+\//,
  "a registry's host": /\b(?:registry|proxy|static|deb)\.[a-z]+\.(?:org|io)\b/,
};

test("what is tracked names no machine's paths and no registry's host", () => {
  const files = trackedFiles().filter((path) => !path.endsWith("package-lock.json"));
  const found = files.flatMap((path) => foreignIn(read(path)).map((what) => `${path}:${what}`));
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

test.each([
  [["", "work", "main", "a.ts"].join("/"), ["1: a path of one machine"]],
  [["see", "tmp", "scratch", "a.ts"].join("/"), ["1: a path of one machine"]],
  [["fine\nhttps://registry", "npmjs", "org/a"].join("."), ["2: a registry's host"]],
  ["docs/work.md, /tmp, registry.k8s.io/pause:3.10", []],
])("%j is judged", (text, found) => {
  expect(foreignIn(text)).toEqual(found);
});

/** Where in `text` there is something foreign, as "line: what". */
function foreignIn(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    Object.entries(foreign)
      .filter(([, pattern]) => pattern.test(line))
      .map(([what]) => `${index + 1}: ${what}`),
  );
}
