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

/** Runs the program, does something at one of its lines, and gives its last line and its exit code. */
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
  const terminate = (): void => void (child.killed || child.kill("SIGTERM")); // once: the second ends it at once
  let last: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    last = line;
    await at[line]?.(terminate);
  }
  const [code] = (await ended) as [number | null];
  return { last, code };
}

const now = (terminate: () => void): void => terminate();

test("a program ends well at SIGTERM: at its very beginning, at work, at rest, and when its server is gone", async () => {
  await using cluster = await startCluster({ listen: true });
  await using going = await startCluster({ listen: true });
  for (const { client } of [cluster, going]) await client.create(ConfigMap, { metadata: { name: "a" } });
  const ends = await Promise.all([
    run(cluster, "writes", { begun: now }),
    run(cluster, "writes", { "reconciling a": now }),
    run(cluster, "waits", { "reconciling a": now }),
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

test("a program whose reconcile does not end is ended all the same, and says whose", async () => {
  await using cluster = await startCluster({ listen: true });
  await cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  expect(await run(cluster, "stuck", { "reconciling a": now })).toEqual({
    last:
      "still running after cancellation: configmap default/a; " +
      "pass its signal to everything that it awaits",
    code: 1,
  });
}, 300_000);
