import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needsOf, reasonOf } from "./left-out.ts";

/** Returns the words that exclude scenarios and transcripts from the embedded server. */
function excuses(): Set<string> {
  const scenarios = texts("./suite/").flatMap((text) =>
    [...text.matchAll(/needs: "([^"]+)"/g)].map(([, word = ""]) => word),
  );
  const transcripts = texts("./kubectl/transcripts/").flatMap((text) => needsOf(text) ?? []);
  return new Set([...scenarios, ...transcripts]);
}

function texts(folder: string): string[] {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url).map((file) => readFileSync(new URL(file, url), "utf8"));
}

test("every reason for skipping a scenario on the embedded server is listed in DIFFERENCES.md", () => {
  expect([...excuses()].map((word) => [word, reasonOf(word)])).toEqual(
    [...excuses()].map((word) => [word, expect.stringMatching(/\S+ \S+/)]),
  );
});

test("a word that is not listed is an error", () => {
  expect(() => reasonOf("patience")).toThrow(
    'expected a line "- `patience`: ..." in conformance/DIFFERENCES.md, got none',
  );
});
