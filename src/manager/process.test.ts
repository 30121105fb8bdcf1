import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { type Cluster, startCluster } from "../testing/index.ts";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = fileURLToPath(new URL("./program-main.fixture.ts", import.meta.url));

/** Runs the program with actions for some of its lines. Returns its last line and its exit code. */
async function run(
  { kubeconfig }: Cluster,
  does: "writes" | "waits" | "stuck",
  at: Readonly<Record<string, (terminate: () => void) => unknown>>,
): Promise<{ readonly last: string | undefined; readonly code: number | null }> {
  const child = spawn(process.execPath, ["--import", loader, main, kubeconfig, does], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  // A second signal would end the process immediately.
  const terminate = (): void => void (child.killed || child.kill("SIGTERM"));
  let last: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    last = line;
    await at[line]?.(terminate);
  }
  const [code] = (await ended) as [number | null];
  return { last, code };
}

const immediately = (terminate: () => void): void => terminate();

test("a program exits with 0 on SIGTERM: at startup, while it writes, while it waits, and without its server", async () => {
  await using cluster = await startCluster({ listen: true });
  await using going = await startCluster({ listen: true });
  for (const { client } of [cluster, going]) await client.create(ConfigMap, { metadata: { name: "a" } });
  const ends = await Promise.all([
    run(cluster, "writes", { started: immediately }),
    run(cluster, "writes", { "reconciling a": immediately }),
    run(cluster, "waits", { "reconciling a": immediately }),
    run(going, "writes", {
      "reconciling a": async (terminate) => {
        await going.close();
        terminate();
      },
    }),
  ]);
  expect(ends).toEqual(ends.map(() => ({ last: "over", code: 0 })));
  expect((await cluster.client.get(Secret, "a"))?.metadata.name).toBe("a");
}, 300_000);

test("a program whose reconcile does not end exits with 1 and names it", async () => {
  await using cluster = await startCluster({ listen: true });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await run(cluster, "stuck", { "reconciling a": immediately })).toEqual({
    last:
      "still running after cancellation: configmap default/a; " +
      "pass its signal to everything that it awaits",
    code: 1,
  });
}, 300_000);
