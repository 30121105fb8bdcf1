/**
 * These tests run our elector with client-go's on kube-apiserver. They are skipped without Go or the server's programs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type CurrentLeader, Processes, termsWritten } from "../src/election/processes.fixture.ts";
import { type Cluster, MissingBinariesError, startCluster } from "../src/testing/index.ts";
import { loadConfig } from "../src/transport/index.ts";
import { CannotBuildHere, compile, fetchPackages, requireGo } from "./go.ts";
import type { KubeProgram } from "./kube-programs.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = path("../src/election/contender-main.fixture.ts");

/** Starts a control plane of the real programs. Returns `undefined` if there are no programs. */
async function realCluster(): Promise<Cluster | undefined> {
  try {
    return await startCluster({ engine: "binaries" });
  } catch (error) {
    if (error instanceof MissingBinariesError) return undefined;
    throw error;
  }
}

const contender: KubeProgram = {
  name: "contender",
  module: path("./election"),
  package: ".",
  linker: "-s -w",
};

/** Compiles client-go's contender. Returns the reason if this machine cannot. */
async function cannotCompile(output: string): Promise<string | undefined> {
  try {
    requireGo();
    await fetchPackages(contender);
    await compile(contender, output, () => {});
    return undefined;
  } catch (error) {
    if (error instanceof CannotBuildHere) return error.message;
    throw error;
  }
}

test("contenders of client-go and ours share one lease, and their writes never interleave", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "trimtab-election-"));
  await using _folder = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) };
  const program = join(folder, "contender");
  const problem = await cannotCompile(program);
  if (problem !== undefined) return context.skip(problem);
  await using cluster = await realCluster();
  if (!cluster) return context.skip("there is no kube-apiserver here: npm run kube");
  const { kubeconfig } = cluster;
  await using processes = new Processes((await loadConfig({ kubeconfig })).server);
  const beginGo = (name: string): Promise<void> =>
    processes.start((server) => [program, kubeconfig, server, name]);
  const beginOurs = (name: string): Promise<void> =>
    processes.start((server) => [process.execPath, "--import", loader, main, kubeconfig, server, name]);
  const leader = (): Promise<CurrentLeader> => processes.until(() => processes.leader);
  const end = async (leading: CurrentLeader, how: NodeJS.Signals): Promise<CurrentLeader> => {
    leading.from.undisturbed = false;
    leading.from.signal(how);
    return processes.successor(leading);
  };

  await beginGo("go-one");
  const first = await leader();
  await beginOurs("ours-one");
  const second = await end(first, "SIGTERM"); // client-go's releases the lease, ours acquires it
  await beginGo("go-two");
  const third = await end(second, "SIGTERM"); // ours releases it, client-go's acquires it
  await beginOurs("ours-two");
  const fourth = await end(third, "SIGKILL"); // ours waits until the lease expires
  await beginGo("go-three");
  const fifth = await end(fourth, "SIGSTOP"); // client-go's waits until the lease expires
  fourth.from.signal("SIGCONT");
  await processes.untilReported("refused", fourth.term);
  await processes.close();

  const led = [first, second, third, fourth, fifth].map(({ term }) => term);
  expect(led.map((term) => term.replace(/-\d+$/, ""))).toEqual([
    "go-one",
    "ours-one",
    "go-two",
    "ours-two",
    "go-three",
  ]);
  const turns = await termsWritten(cluster.client);
  expect(turns).toEqual(expect.arrayContaining(led));
  expect(turns).toEqual([...new Set(turns)]);
}, 600_000);
