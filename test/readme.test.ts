import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { packageManifest, read, root } from "./repository.ts";

const documents = ["", "docs/"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name),
);

test.each(["npm install && npm start", "npm install && npm test"])("README contains %s", (command) => {
  expect(read("README.md")).toContain(command);
});

test("the code blocks of README are the files of an example: a controller, its program and its test", () => {
  const blocks = Array.from(read("README.md").matchAll(/```ts\n(.*?)```/gs), ([, block]) => block);
  const files = ["website.ts", "start.ts", "deployed.test.ts"];
  expect(blocks).toEqual(files.map((file) => read(`examples/website/${file}`)));
});

test("README has fewer than 200 lines, and ARCHITECTURE at most 250", () => {
  expect(read("README.md").split("\n").length).toBeLessThan(200);
  expect(read("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(250);
});

test.each(["README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md"])(
  "prose in %s is wrapped at 120 columns",
  (document) => {
    const prose = read(document)
      .replace(/^```.*?^```/gms, "")
      .split("\n");
    expect(prose.filter((line) => line.length > 120 && !line.startsWith("|"))).toEqual([]);
  },
);

test.each(documents)("every npm script that %s names exists", (document) => {
  const scripts = new Set(Object.keys(packageManifest().scripts));
  expect(scriptsNamedIn(read(document)).filter((name) => !scripts.has(name))).toEqual([]);
});

test.each(documents)("every relative link of %s has an existing file and heading", (document) => {
  expect(linksOf(read(document)).filter((link) => !exists(document, link))).toEqual([]);
});

test("scripts and links are found in all their forms", () => {
  const text =
    "`npm run bench -- client`, `npm test`, npm start; [a](src/a.ts) [b]: LICENSE\n[c](https://a.test) [d](#e)";
  expect(scriptsNamedIn(text)).toEqual(["bench", "test", "start"]);
  expect(linksOf(text)).toEqual(["src/a.ts", "LICENSE", "#e"]);
});

/** Returns the names in `npm run NAME`, `npm test` and `npm start`. */
function scriptsNamedIn(text: string): string[] {
  return Array.from(
    text.matchAll(/\bnpm (?:run (?:--?\S+ )*([\w:-]+)|(test|start)\b)/g),
    ([, run, short]) => run ?? short ?? "",
  );
}

/** Returns the targets of Markdown links, except those to other sites. */
function linksOf(text: string): string[] {
  const targets = Array.from(
    text.matchAll(/\]\(([^)\s]+)\)|\]: (\S+)/g),
    ([, inline, listed]) => inline ?? listed ?? "",
  );
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function exists(document: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? document : posix.join(posix.dirname(document), file);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || !target.endsWith(".md") || headingsOf(read(target)).includes(heading);
}

/** Returns the anchors of Markdown headings. */
function headingsOf(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
