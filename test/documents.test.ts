import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { read, root } from "./repository.ts";

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];

/** Files that the programs of a document import, and that it does not contain. */
const beside: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/webhooks.md": {
    "website.ts": `
      import { controller } from "trimtab";
      import { defineResource } from "trimtab/crd";
      import { z } from "zod";
      export const Website = defineResource({
        group: "example.dev",
        version: "v1",
        kind: "Website",
        spec: z.object({ domain: z.string(), image: z.string(), replicas: z.int32().default(1) }),
      });
      export const websites = controller({ for: Website, reconcile: async () => {} });`,
  },
};

test("every TypeScript block of README and docs compiles with the strictest options", async () => {
  await using folder = await temporaryFolder("trimtab-documents-");
  const programs = documents.flatMap((document) => programsOf(document, read(document)));
  expect(programs.length).toBeGreaterThan(8);
  expect(errorsOf(folder.path, programs)).toEqual([]);
});

test("an error in a block is found", async () => {
  await using folder = await temporaryFolder("trimtab-documents-");
  const document =
    '```ts\nimport type { ObjectKey } from "trimtab/api";\nexport const key: ObjectKey = 1;\n```\n';
  const [error, ...others] = errorsOf(folder.path, programsOf("a.md", document));
  expect(error).toMatch(/^a\.md\/block1\.ts\(2,14\): error TS2322/);
  expect(others).toEqual([]);
});

test("blocks have the names that others import", () => {
  const document = "```ts\na\n```\n```sh\nb\n```\n```ts main.ts\nc\n```\n";
  expect(programsOf("a.md", document)).toEqual([
    ["a.md/block1.ts", "a\n"],
    ["a.md/main.ts", "c\n"],
  ]);
  expect(programsOf("README.md", document)[0]?.[0]).toBe("README.md/website.ts");
});

type Program = readonly [path: string, text: string];

/** Returns the TypeScript blocks, each in a file of its name, and the files beside them. */
function programsOf(document: string, text: string): Program[] {
  const blocks = Array.from(text.matchAll(/^```ts(?: (\S+))?\n(.*?)^```$/gms), ([, name, block = ""], at) => {
    const standard = document === "README.md" && at === 0 ? "website.ts" : `block${at + 1}.ts`;
    return [`${document}/${name ?? standard}`, block] as const;
  });
  const others = Object.entries(beside[document] ?? {}).map(
    ([name, other]) => [`${document}/${name}`, other] as const,
  );
  return [...blocks, ...others];
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  types: ["node"],
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Compiles the programs as a user would, against the built package. Returns the lines of errors. */
function errorsOf(folder: string, programs: readonly Program[]): string[] {
  for (const [path, text] of programs) write(join(folder, path), text);
  write(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/trimtab"));
  for (const name of ["@types", "vitest", "zod"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
      cwd: folder,
      encoding: "utf8",
    });
    return [];
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout).trim().split("\n");
    throw error;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
