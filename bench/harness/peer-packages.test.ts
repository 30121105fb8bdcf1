import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { peerPackage } from "./peer-packages.ts";

/**
 * A program in place of npm. With `installs` it creates the package as npm would, otherwise it fails with this text.
 */
const installs = `
  const fs = require("node:fs");
  fs.mkdirSync("node_modules/peer", { recursive: true });
  fs.writeFileSync("node_modules/peer/package.json", JSON.stringify({ version: "2.0.0", main: "main.js" }));
  fs.writeFileSync("node_modules/peer/main.js", "");`;
const fails = (text: string): string => `console.error(${JSON.stringify(text)}); process.exit(1);`;

interface World extends AsyncDisposable {
  readonly folder: string;
  /** Requests the package with the program `script` as npm. */
  find(script: string): Promise<unknown>;
  readonly progress: string[];
}

async function world(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "trimtab-peers-"));
  const progress: string[] = [];
  await writeFile(join(folder, "package.json"), "{}");
  const packages = { "node_modules/peer": { version: "2.0.0" } };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  return {
    folder,
    progress,
    find: (script) =>
      peerPackage("peer", {
        folder,
        npm: [process.execPath, "--eval", script, "--"],
        progress: (line) => void progress.push(line),
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test("the first use installs the packages with a line of progress, the next does not", async () => {
  await using on = await world();
  const found = { url: pathToFileURL(join(on.folder, "node_modules/peer/main.js")).href };
  const notAgain = fails("installed again");
  expect([await on.find(installs), await on.find(notAgain), on.progress]).toEqual([
    found,
    found,
    [`installing the packages of ${on.folder}, once`],
  ]);
});

test("a version other than the locked one is installed again", async () => {
  await using on = await world();
  await mkdir(join(on.folder, "node_modules/peer"), { recursive: true });
  await writeFile(join(on.folder, "node_modules/peer/package.json"), '{"version":"1.0.0"}');
  await on.find(installs);
  expect(on.progress).toHaveLength(1);
});

test("without a network the peer is skipped, with the command to run", async () => {
  await using on = await world();
  expect(await on.find(fails("npm error code EAI_AGAIN\nnpm error request failed"))).toEqual({
    skipped: "its packages could not be fetched (EAI_AGAIN); run npm ci in bench/peers-node with a network",
  });
});

test("any other failure of npm is an error with its output", async () => {
  await using on = await world();
  await expect(on.find(fails("npm error lock file broken"))).rejects.toThrow("npm error lock file broken");
});
