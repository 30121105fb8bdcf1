import { expect, test } from "vitest";
import { read, trackedFiles } from "./repository.ts";

/** Letters in brackets keep these patterns from finding themselves. */
const foreign: Readonly<Record<string, RegExp>> = {
  "a local path": /\/[w]ork\/|\/[t]mp\/[a-z]+\//,
  "a registry host": /\b(?:registry|proxy|static|deb)\.[a-z]+\.(?:org|io)\b/,
};

test("tracked files contain no local paths and no registry hosts", () => {
  const files = trackedFiles().filter((path) => !path.endsWith("package-lock.json"));
  const found = files.flatMap((path) => foreignIn(read(path)).map((what) => `${path}:${what}`));
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

test.each([
  [["", "work", "main", "a.ts"].join("/"), ["1: a local path"]],
  [["see", "tmp", "scratch", "a.ts"].join("/"), ["1: a local path"]],
  [["fine\nhttps://registry", "npmjs", "org/a"].join("."), ["2: a registry host"]],
  ["docs/work.md, /tmp, registry.k8s.io/pause:3.10", []],
])("%j is checked for local paths and registry hosts", (text, found) => {
  expect(foreignIn(text)).toEqual(found);
});

/** Returns the matches of `foreign` in a text, as "line: name". */
function foreignIn(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    Object.entries(foreign)
      .filter(([, pattern]) => pattern.test(line))
      .map(([what]) => `${index + 1}: ${what}`),
  );
}

/** Words that STYLE.md replaces by established ones. */
const riddles =
  /\b(?:anew|nobody|somebody|whoever|whatever|mend(?:s|ed)?|(?:is|are|was) told|tells|put right|well again|set aside|poison|claim to|lent|lends|hurried|in line|handed back|by ourselves|of one's own|for ever|there is none|what is there|who has)\b|\bno more\./i;

/** Comments that begin with a clause. They begin with the thing they document, or with a verb. */
const clauses = /^\s*(?:\/\*\*|\/\/|\*) (?:Of|And|As|But|Those|Where|Who|What|Whether)\b/;

/** Places where such a word is right, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  "STYLE.md": "shows the words that it replaces",
  "test/words.test.ts": "has the patterns",
  "conformance/kubectl/transcripts/": "recorded output of kubectl, with our comments around it",
  "conformance/suite/bad-input-yaml.ts": "a hexadecimal dump that the server echoes",
};

test("comments, messages, titles and documents use the words of STYLE.md", () => {
  const files = trackedFiles().filter((path) => /\.(?:ts|mjs|md)$/.test(path) && isChecked(path));
  const found = files.flatMap((path) => riddlesIn(read(path)).map((line) => `${path}:${line}`));
  expect(files.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test.each([
  ["/** Whether it is open. */", ["1: /** Whether it is open. */"]],
  ["/**\n * What has come.\n */", ["2: * What has come."]],
  ['throw new Error("nobody is told")', ['1: throw new Error("nobody is told")']],
  ["/** Returns true if it is open. */\n// Reads what follows.", []],
])("%j is checked for its words", (text, found) => {
  expect(riddlesIn(text)).toEqual(found);
});

function isChecked(path: string): boolean {
  const isGenerated = path.startsWith("src/api/types/");
  return !isGenerated && !Object.keys(allowed).some((start) => path.startsWith(start));
}

/** Returns the lines of a text that have a rejected word or opening, as "line: text". */
function riddlesIn(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      riddles.test(line) || opensWithClause(text, line) ? [`${index + 1}: ${line.trim()}`] : [],
    );
}

/** Returns true if a line opens a comment with a clause. A line inside a comment opens it only after a bare `/**`. */
function opensWithClause(text: string, line: string): boolean {
  if (!clauses.test(line)) return false;
  return !line.trim().startsWith("* ") || text.includes(`/**\n${line}`);
}
