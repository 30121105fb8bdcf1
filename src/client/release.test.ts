import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { release } from "./release.ts";

test("release equals the version in package.json", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(release).toBe(JSON.parse(manifest).version);
});
