import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Deployment } from "trimtab/api/apps/v1";
import { connect } from "trimtab/client";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const loader = createRequire(import.meta.url).resolve("tsx");

/** What `npm start` runs, without a terminal. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ["--import", loader, main, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}

test("with --once the tour is told line by line, and ends by itself", async () => {
  const { child, ended } = start("--once");
  const told = Buffer.concat(await child.stdout.toArray()).toString();
  expect((await ended)[0]).toBe(0);
  expect(told.replace(/tour-\w+|version \d+/g, "<it>").split("\n")).toEqual([
    expect.stringMatching(/^connected to Kubernetes v1\./),
    "applied ConfigMap menu, <it>, soup is leek",
    "wine-list is undefined: absence is a value, not an error",
    "writing from an old copy: refused with Conflict",
    "read again and written again: soup is fish",
    'watch: modified menu {"bread":"rye","soup":"fish"}',
    'watch: deleted menu {"bread":"rye","soup":"fish"}',
    "deleted namespace <it>",
    "",
  ]);
});

test("it stays for other programs, and ends well when told to", async () => {
  const { child, ended } = start();
  let told = "";
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.includes("Ctrl-C")) break;
  }
  const [, kubeconfig] = /export KUBECONFIG=(.*)/.exec(told) ?? [];
  await using client = await connect({ kubeconfig });
  expect((await client.get(Deployment, "shop"))?.spec.replicas).toBe(2);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
});
