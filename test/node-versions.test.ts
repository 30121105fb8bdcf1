import { expect, test } from "vitest";
import { packageManifest, read } from "./repository.ts";

/** Node versions in the table of the README, oldest first. */
const supported = Array.from(
  read("README.md").matchAll(/^\| (\d+(?:\.\d+)?) \| .*20\d\d/gm),
  ([, version]) => version,
);

test("the oldest version of Node that the README supports is the lowest that package.json accepts", () => {
  expect(packageManifest().engines).toEqual({ node: `>=${supported[0]}` });
});

test("continuous integration tests the oldest and the newest version of Node that the README supports", () => {
  const tested = Array.from(read(".ci/run").matchAll(/^on_node (\S+) /gm), ([, version]) => version);
  expect(tested).toEqual([supported[0], supported.at(-1)]);
});
