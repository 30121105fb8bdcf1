/** These tests run kubectl, which reads YAML with Go's reader. They are skipped until `npm run kube` has built it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kubeCacheFolder } from "../../testing/index.ts";
import { hostileTexts, hostileYamlValue } from "./yaml-values.fixture.ts";
import { writeYaml } from "./yaml-writer.ts";

const kubectl = join(kubeCacheFolder(), "kubectl");

test.skipIf(!existsSync(kubectl))("Go reads a written value unchanged", async () => {
  const spec = {
    texts: hostileTexts.map((text) => ({ [text]: text })),
    values: fc.sample(hostileYamlValue, 2_000),
  };
  const object = { apiVersion: "example.dev/v1", kind: "Thing", metadata: { name: "a" }, spec };
  expect(await readByKubectl(writeYaml(object))).toEqual({
    ...object,
    metadata: { name: "a", labels: { x: "y" } },
  });
});

/** Returns the object in a YAML document, with a label, as kubectl prints it without a server. */
async function readByKubectl(text: string): Promise<unknown> {
  const args = ["label", "--local", "-f", "-", "x=y", "-o", "json", "--kubeconfig=/dev/null"];
  const running = promisify(execFile)(kubectl, args, { maxBuffer: 1e9 });
  running.child.stdin?.end(text);
  return JSON.parse((await running).stdout);
}
