import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KubeconfigFile } from "./kubeconfig-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trimtab-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([0o644, 0o666, 0o600])(
  "writing over a file of mode %o leaves it readable by its owner only",
  async (mode) => {
    const path = join(folder, "config");
    writeFileSync(path, '{"clusters":[{"name":"trimtab"}],"padding":"longer than the new contents"}');
    chmodSync(path, mode);
    await using file = await KubeconfigFile.at(path);
    await file.write("{}");
    expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([0o600, "{}"]);
  },
);

test("a new file is readable by its owner only", async () => {
  const path = join(folder, "config");
  await using file = await KubeconfigFile.at(path);
  await file.write("{}");
  expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([0o600, "{}"]);
});
