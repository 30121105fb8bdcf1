/**
 * Every scenario, in one file so that what they need is loaded once: by `npm test` on an API server in this process, by
 * `npm run conformance` on the one it names.
 */
import { readdirSync } from "node:fs";
import { describe } from "vitest";
import "./scenario.ts";

const suite = new URL("./suite/", import.meta.url);

for (const file of readdirSync(suite).toSorted()) {
  describe.concurrent(file.replace(/\.ts$/, ""), () => import(new URL(file, suite).href));
}
