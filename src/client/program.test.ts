import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { findProgram } from "./program.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "trimtab-program-"));
  onTestFinished(() => rm(root, { recursive: true }));
});

async function write(path: string, content: unknown): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

test("the program's name comes from the package.json nearest to the main script", async () => {
  await write("package.json", { name: "monorepo", version: "0.0.0" });
  await write("operator/package.json", { name: "website-operator", version: "1.2.3" });
  const script = await write("operator/dist/main.js", "");
  expect(findProgram({ script, directory: root })).toEqual({ name: "website-operator", version: "1.2.3" });
});

test("a package.json without a name, or that is not JSON, does not end the search", async () => {
  await write("package.json", { name: "website-operator" });
  await write("dist/package.json", { type: "module" });
  await write("dist/cjs/package.json", "{");
  const script = await write("dist/cjs/main.js", "");
  expect(findProgram({ script, directory: "/" })).toEqual({ name: "website-operator", version: "unknown" });
});

test("a scoped name becomes a valid product name", async () => {
  await write("package.json", { name: "@acme/website operator", version: "1.0.0-rc.1+7" });
  const script = await write("main.js", "");
  expect(findProgram({ script, directory: "/" })).toEqual({
    name: "acme-website-operator",
    version: "1.0.0-rc.1+7",
  });
});

test("a name longer than 128 characters is truncated", async () => {
  await write("package.json", { name: "n".repeat(200), version: "1" });
  const script = await write("main.js", "");
  expect(findProgram({ script, directory: "/" })?.name).toBe("n".repeat(128));
});

test("for a tool inside node_modules, the program of the working directory is used", async () => {
  await write("package.json", { name: "website-operator", version: "1.2.3" });
  await write("node_modules/vitest/package.json", { name: "vitest", version: "4.0.0" });
  const script = await write("node_modules/vitest/dist/worker.js", "");
  expect(findProgram({ script, directory: root })?.name).toBe("website-operator");
});

test("a globally installed program is found through its symbolic link", async () => {
  await write("lib/node_modules/website-operator/package.json", { name: "website-operator", version: "1" });
  const main = await write("lib/node_modules/website-operator/main.js", "");
  const script = join(root, "website-operator");
  await symlink(main, script);
  expect(findProgram({ script, directory: "/" })?.name).toBe("website-operator");
});

test("without a main script the working directory is searched, and without a package.json the result is undefined", async () => {
  await write("package.json", { name: "website-operator", version: "1.2.3" });
  expect(findProgram({ script: undefined, directory: root })?.name).toBe("website-operator");
  expect(findProgram({ script: "/gone/main.js", directory: "/" })).toBe(undefined);
});
