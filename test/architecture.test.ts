import { expect, test } from "vitest";
import { importProblem, isTest, roomProblem } from "./import-rules.ts";
import { groundFloor, layers, reachable, rooms } from "./layers.ts";
import { foldersIn, type SourceFile, sourceFiles } from "./repository.ts";
import { codeOf, importsOf } from "./source-text.ts";

const inSrc: SourceFile[] = sourceFiles("src").map((file) => ({
  ...file,
  path: file.path.slice("src/".length),
}));
const written: SourceFile[] = inSrc.filter(({ path }) => !path.startsWith("api/types/"));
const shipped: SourceFile[] = written.filter(({ path }) => !isTest(path));

test("the table of layers has exactly one entry for each folder of src/", () => {
  expect(Object.keys(layers).sort()).toEqual(foldersIn("src"));
});

test("a folder may import only folders above it in the table, so there is no cycle", () => {
  const order = Object.keys(layers);
  const upwards = order.flatMap((folder, floor) =>
    (layers[folder] ?? [])
      .filter((each) => !order.slice(0, floor).includes(each))
      .map((each) => [folder, each]),
  );
  expect(upwards).toEqual([]);
});

test("the client and the API server share only the ground floor", () => {
  const client = reachable("client", layers);
  const shared = [...reachable("apiserver", layers), "apiserver"].filter((each) => client.has(each));
  expect(shared.filter((each) => !groundFloor.includes(each))).toEqual([]);
});

test("every import under src/ is allowed by the table and uses the index.ts of the other folder", () => {
  const problems = inSrc.flatMap(({ path, text }) =>
    importsOf(text).map((specifier) => importProblem(path, specifier)),
  );
  expect(problems.length).toBeGreaterThan(100);
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});

test.each([
  ["client/get.ts", "./list.ts", undefined],
  ["client/get.ts", "undici", undefined],
  ["client/get.ts", "../base/index.ts", undefined],
  ["manager/run.ts", "../webhook/internal.ts", undefined],
  ["client/get.ts", "../api/types/core/v1.ts", undefined],
  ["api/types/core/v1.ts", "../../kind.ts", undefined],
  ["index.ts", "./client/index.ts", undefined],
  ["client/get.test.ts", "../testing/index.ts", undefined],
  ["client/get.test.ts", "../../test/json-keys.ts", undefined],
  ["client/get.ts", "../../test/json-keys.ts", "client/get.ts imports ..: client may not, by test/layers.ts"],
  [
    "client/get.ts",
    "../testing/index.ts",
    "client/get.ts imports testing: client may not, by test/layers.ts",
  ],
  ["base/a.ts", "../api/types/core/v1.ts", "base/a.ts imports api: base may not, by test/layers.ts"],
  ["base/a.test.ts", "../client/index.ts", "base/a.test.ts imports client: base may not, by test/layers.ts"],
  [
    "client/get.ts",
    "../base/clock.ts",
    "client/get.ts imports base/clock.ts: reach base through its index.ts",
  ],
  ["client/get.ts", "../api/kind.ts", "client/get.ts imports api/kind.ts: reach api through its index.ts"],
  ["index.ts", "./client/get.ts", "index.ts imports client/get.ts: reach client through its index.ts"],
  ["client/get.ts", "../index.ts", "client/get.ts imports index.ts: client may not, by test/layers.ts"],
  ["client/get.ts", "../../test/layers.ts", "client/get.ts imports ..: client may not, by test/layers.ts"],
  ["client/get.ts", "trimtab/api", "client/get.ts imports trimtab/api: reach it by a relative path"],
])("an import in %s of %s is checked", (file, specifier, problem) => {
  expect(importProblem(file, specifier)).toBe(problem);
});

test("the rooms of a folder are listed, each once", () => {
  const listed = Object.entries(rooms).map(([folder, { order }]) => [folder, [...order].sort()]);
  const found = Object.keys(rooms).map((folder) => [folder, foldersIn(`src/${folder}`)]);
  expect(listed).toEqual(found);
});

const twoRooms = { cache: { order: ["objects", "reflector"], shared: ["types.ts"] } };

test.each([
  ["cache/reflector/a.ts", "cache/objects/b.ts", undefined],
  ["cache/reflector/a.ts", "cache/reflector/b.ts", undefined],
  ["cache/informer.ts", "cache/reflector/b.ts", undefined],
  ["cache/objects/a.ts", "cache/types.ts", undefined],
  ["cache/objects/a.test.ts", "cache/reflector/b.ts", undefined],
  ["queue/a.ts", "queue/b.ts", undefined],
  [
    "cache/objects/a.ts",
    "cache/reflector/b.ts",
    "cache/objects/a.ts imports cache/reflector/b.ts: the room objects may not, by test/layers.ts",
  ],
  [
    "cache/objects/a.ts",
    "cache/informer.ts",
    "cache/objects/a.ts imports cache/informer.ts: the room objects may not, by test/layers.ts",
  ],
])("an import in %s of %s is checked by rooms", (file, target, problem) => {
  expect(roomProblem(file, target, twoRooms)).toBe(problem);
});

test("examples and benchmarks import the package by its name", () => {
  const inside = [...sourceFiles("examples"), ...sourceFiles("bench")].flatMap(({ path, text }) =>
    importsOf(text)
      .filter((specifier) => /^(\.\.\/)+(src|dist)\//.test(specifier))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(inside).toEqual([]);
});

/** Sources of time, timers and randomness other than a clock or a seed. */
const ambient =
  /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(|\bset(?:Timeout|Interval|Immediate)\b|(?<![.\w])performance\.|\bprocess\.hrtime\b|\bMath\.random\b|\bAbortSignal\.timeout\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/;
const ambientModules = /^(?:node:)?(?:timers|perf_hooks)(?:\/|$)/;

function ambientIn(text: string): string[] {
  const lines = codeOf(text).split("\n");
  const used = lines.flatMap((line, index) =>
    ambient.test(line) ? [`line ${index + 1}: ${line.trim()}`] : [],
  );
  return [...used, ...importsOf(text).filter((specifier) => ambientModules.test(specifier))];
}

test("only base/ uses ambient time, timers and randomness", () => {
  const found = shipped
    .filter(({ path }) => !path.startsWith("base/"))
    .flatMap(({ path, text }) => ambientIn(text).map((use) => `${path} ${use}`));
  expect(found).toEqual([]);
});

test.each([
  "const at = Date.now();",
  `const text = \`\${Date.now()}\`;`,
  "const at = new Date();",
  "const text = Date();",
  "setTimeout(run, 5);",
  "globalThis.setInterval(run, 5);",
  "setImmediate(run);",
  "const ms = performance.now();",
  "const ns = process.hrtime.bigint();",
  "const chance = Math.random();",
  "fetchIt({ signal: AbortSignal.timeout(5) });",
  'import { setTimeout as sleep } from "node:timers/promises";',
  'const { performance } = await import("node:perf_hooks");',
  'import { randomUUID } from "node:crypto";',
  "const token = crypto.randomBytes(8);",
])("ambient time, timers or randomness is found in: %s", (line) => {
  expect(ambientIn(line)).not.toEqual([]);
});

test.each([
  "const at = new Date(clock.now());",
  "const ms = Date.parse(text);",
  "// avoids Date.now()",
  'throw new Error("expected no setTimeout");',
  "const { performance } = figures;",
])("no ambient time, timers or randomness is found in: %s", (line) => {
  expect(ambientIn(line)).toEqual([]);
});

test("each folder's index.ts has a @module comment", () => {
  const undocumented = foldersIn("src").filter((folder) => {
    const text = inSrc.find(({ path }) => path === `${folder}/index.ts`)?.text ?? "";
    return !/^\/\*\*(?:(?!\*\/)[\s\S])+@module\s*\*\//.test(text);
  });
  expect(undocumented).toEqual([]);
});

test("no file re-exports everything of another", () => {
  expect(inSrc.filter(({ text }) => /\bexport \*/.test(codeOf(text))).map(({ path }) => path)).toEqual([]);
});

test("no file except generated ones is longer than 400 lines", () => {
  const lengths = written.map(({ path, text }) => [path, text.trimEnd().split("\n").length] as const);
  expect(lengths.filter(([, lines]) => lines > 400)).toEqual([]);
});
