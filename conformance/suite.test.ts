/**
 * Runs every scenario, in one file so that modules are loaded once: with `npm test` on an API server in this process,
 * with `npm run conformance` on the named engine.
 */
import { readdirSync } from "node:fs";
import { describe } from "vitest";
import "./scenario.ts";

const suite = new URL("./suite/", import.meta.url);

for (const file of readdirSync(suite).toSorted()) {
  describe.concurrent(file.replace(/\.ts$/, ""), () => import(new URL(file, suite).href));
}
