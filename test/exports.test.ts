import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { facts } from "../src/api/types/facts.ts";
import { type ExportTarget, filesUnder, foldersIn, packageManifest, read, root } from "./repository.ts";

const { name, exports } = packageManifest();
const modules = Object.entries(exports).filter(
  (entry): entry is [string, ExportTarget] => typeof entry[1] === "object" && entry[1] !== null,
);
const plain = modules.filter(([subpath]) => !subpath.includes("*"));
const specifierOf = (subpath: string): string => subpath.replace(/^\./, name);

/** Modules that `./api/*` exports, without the excluded ones. */
const apiModules = filesUnder("src/api/types")
  .map((path) => path.replace("src/api/types", "./api").replace(".ts", ""))
  .filter((subpath) => exports[subpath] !== null)
  .map(specifierOf);

test("every subpath has a built module and its types", () => {
  const files = plain.flatMap(([, target]) => [target.types, target.default]);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every subpath can be imported, and exports the values that its types declare", () => {
  const loaded = importing(plain.map(([subpath]) => specifierOf(subpath)));
  const declared = plain.map(([subpath, { types }]) => [
    specifierOf(subpath),
    namesIn(types).filter((exported) => !exported.startsWith("type ")),
  ]);
  expect(loaded).toEqual(Object.fromEntries(declared));
});

test("every generated module of api can be imported", () => {
  const loaded = importing(apiModules);
  expect(Object.entries(loaded).filter(([, result]) => !Array.isArray(result))).toEqual([]);
});

test("every API group can be imported by its full name", () => {
  const byFullName = facts().groups.flatMap(({ name: group, versions }) =>
    group.includes(".") ? versions.map((version) => [group, version] as const) : [],
  );
  expect(byFullName.length).toBeGreaterThan(20);
  const short = byFullName.map(([group, version]) => `${name}/api/${group.split(".")[0]}/${version}`);
  const full = byFullName.map(([group, version]) => `${name}/api/${group}/${version}`);
  const loaded = importing([...short, ...full]);
  expect(full.map((specifier) => loaded[specifier])).toEqual(short.map((specifier) => loaded[specifier]));
  expect(full.filter((specifier) => !Array.isArray(loaded[specifier]))).toEqual([]);
});

test("no other module can be imported", () => {
  const folders = foldersIn("src").map((folder) => `${name}/${folder}`);
  const files = [
    "api/index.js",
    "api/kind",
    "client/index.js",
    "dist/client/index.js",
    "src/client/index.ts",
    "webhook/internal",
    "webhook/internal.js",
  ];
  const loaded = importing([name, ...folders, ...files.map((file) => `${name}/${file}`)]);
  const reached = Object.keys(loaded).filter((specifier) => Array.isArray(loaded[specifier]));
  expect(reached.sort()).toEqual(plain.map(([subpath]) => specifierOf(subpath)).sort());
});

/** `npx vitest run test/exports.test.ts -u` updates the file. A difference is a change for users. */
test("public-names.txt lists the public names", async () => {
  const listed = plain.map(([subpath, { types }]) => [specifierOf(subpath), ...namesIn(types)].join("\n  "));
  await expect(`${[...listed, ...apiModules].join("\n")}\n`).toMatchFileSnapshot("public-names.txt");
});

/** Imports each specifier with Node. Returns its sorted export names, or the code of the error. */
function importing(specifiers: readonly string[]): Record<string, string[] | string> {
  const script = `
    const results = {};
    for (const specifier of ${JSON.stringify(specifiers)}) {
      results[specifier] = await import(specifier).then((module) => Object.keys(module).sort(), (error) => error.code);
    }
    console.log(JSON.stringify(results));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: root,
    encoding: "utf8",
  });
  return JSON.parse(output) as Record<string, string[] | string>;
}

/** Returns the sorted export names of an `index.d.ts`. Types have the prefix "type ". */
function namesIn(declarations: string): string[] {
  const clauses = read(declarations).matchAll(/^export (type )?\{([^}]*)\}/gm);
  return Array.from(clauses, ([, type = "", names = ""]) =>
    names
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .map((each) => type + each),
  )
    .flat()
    .sort(byName);
}

function byName(a: string, b: string): number {
  const bare = (each: string): string => each.replace("type ", "");
  return bare(a) < bare(b) ? -1 : 1;
}
