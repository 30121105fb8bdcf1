import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

test("a folder exists until it is disposed", async () => {
  const before = process.listenerCount("exit");
  const folder = await temporaryFolder("trimtab-test-");
  expect(existsSync(folder.path)).toBe(true);
  await folder[Symbol.asyncDispose]();
  expect([existsSync(folder.path), process.listenerCount("exit")]).toEqual([false, before]);
});

test("a folder that is not disposed is removed when the process exits", () => {
  const module = JSON.stringify(new URL("./temporary-folder.ts", import.meta.url).href);
  const script = `const { temporaryFolder } = await import(${module}); console.log((await temporaryFolder("trimtab-test-")).path);`;
  const loader = createRequire(import.meta.url).resolve("tsx");
  const path = execFileSync(process.execPath, ["--import", loader, "--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect([path.includes("trimtab-test-"), existsSync(path.trim())]).toEqual([true, false]);
});
