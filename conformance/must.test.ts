import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const here = new URL(".", import.meta.url);

test("every scenario named in MUST.md exists", () => {
  const titles = scenarioTitles();
  const promised = readFileSync(new URL("MUST.md", here), "utf8").matchAll(/^ {2}- (.*)$/gm);
  const missing = [...promised]
    .map(([, title = ""]) => title)
    .filter((title) => !titles.some((one) => one.test(title)));
  expect(missing).toEqual([]);
});

test("every promise in MUST.md names a scenario", () => {
  const lines = readFileSync(new URL("MUST.md", here), "utf8").split("\n");
  const bare = lines.filter((line, at) => line.startsWith("- ") && !lines[at + 1]?.startsWith("  - "));
  expect(bare).toEqual([]);
});

/** Returns a pattern for each title in the suite. A placeholder matches any text. */
function scenarioTitles(): RegExp[] {
  const folder = new URL("suite/", here);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  return sources.flatMap((source) =>
    [...source.matchAll(/\bscenario\(\s*(["'`])(.*?)\1,/g)].map(([, , title = ""]) => patternOf(title)),
  );
}

function patternOf(title: string): RegExp {
  const parts = title
    .split(/\$\{.*?\}(?=[^}]*(?:\$|$))/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}
