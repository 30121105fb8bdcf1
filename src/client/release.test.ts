import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { release } from "./release.ts";

test("the release is the package's version", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(release).toBe(JSON.parse(manifest).version);
});
