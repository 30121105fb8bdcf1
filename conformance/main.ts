/**
 * Runs the suite against one engine: `npm run conformance -- --engine embedded|binaries|existing [--filter TEXT]
 * [--skip-missing] [--record]`. `npm run conformance -- differential` compares two servers instead: see
 * differential/run.ts.
 *
 * The last line is the count. The exit code is 1 if a scenario failed or none ran. Missing programs of engine
 * "binaries" are a failure, except with `--skip-missing`. With `--record` the output of kubectl is recorded instead of
 * compared, which is allowed for kube-apiserver only.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Cluster, type ClusterOptions, MissingBinariesError, startCluster } from "trimtab/testing";
import type { TestCase, Vitest } from "vitest/node";
import type { Engine } from "./server-under-test.ts";

const engines: readonly Engine[] = ["embedded", "binaries", "existing"];

/** Maximum number of concurrent scenarios. */
const concurrency = 8;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    if (process.argv[2] === "differential") return await compareServers();
    const { skipMissing, ...choice } = choices();
    return await onCluster(choice).catch((error: unknown) => {
      if (!skipMissing || !(error instanceof MissingBinariesError)) throw error;
      console.error(`conformance: skipped, ${error.message}`);
      return 0;
    });
  } catch (error) {
    console.error(`conformance: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}

async function compareServers(): Promise<number> {
  const { differential } = await import("./differential/run.ts");
  return await differential(process.argv.slice(3));
}

interface Choice {
  readonly engine: Engine;
  readonly filter: string;
  readonly record: boolean;
}

function choices(): Choice & { readonly skipMissing: boolean } {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "none" },
      filter: { type: "string", default: "" },
      "skip-missing": { type: "boolean", default: false },
      record: { type: "boolean", default: false },
    },
  });
  const engine = engines.find((known) => known === values.engine);
  const { filter, record, "skip-missing": skipMissing } = values;
  if (!engine) throw new Error(`expected --engine ${engines.join(" or ")}, got ${values.engine}`);
  if (record && engine !== "binaries") throw new Error(`expected --record of engine binaries, got ${engine}`);
  return { engine, filter, record, skipMissing };
}

async function onCluster(choice: Choice): Promise<number> {
  const { engine } = choice;
  await using cluster = await startCluster(optionsOf(engine));
  return await runSuite(cluster, choice);
}

/** Makes kube-apiserver compact soon, for the scenarios about expired versions. */
function optionsOf(engine: Engine): ClusterOptions {
  if (engine === "embedded") return { engine, listen: true };
  return engine === "binaries" ? { engine, flags: { "etcd-compaction-interval": "10s" } } : { engine };
}

async function runSuite(cluster: Cluster, { engine, filter, record }: Choice): Promise<number> {
  // Loading vitest takes a second, which a failed start avoids.
  const { escapeTestName, startVitest } = await import("vitest/node");
  const vitest = await startVitest("test", [], {
    config: false,
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["suite.test.ts", "kubectl/kubectl.real.test.ts"],
    testNamePattern: escapeTestName(filter, false),
    sequence: { concurrent: true },
    maxConcurrency: concurrency,
    testTimeout: 60_000,
    watch: false,
    provide: { engine, kubeconfig: cluster.kubeconfig, record },
  });
  try {
    return verdict(vitest, filter);
  } finally {
    await vitest.close();
  }
}

/** Prints the count. A file that could not be loaded counts as failed. */
function verdict({ state }: Vitest, filter: string): number {
  const modules = state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const results = tests.map((test) => test.result().state);
  for (const { name, reason } of tests.flatMap(leftOut)) console.log(`skipped: ${name} (${reason})`);
  const broken =
    modules.filter((module) => module.errors().length > 0).length + state.getUnhandledErrors().length;
  const passed = results.filter((result) => result === "passed").length;
  const failed = results.filter((result) => result === "failed").length + broken;
  if (passed + failed === 0)
    console.error(`conformance: expected scenarios named like "${filter}", got none`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** Returns true for a scenario that was skipped with a reason. Filtered ones have no reason. */
function leftOut(test: TestCase): Array<{ readonly name: string; readonly reason: string }> {
  const result = test.result();
  return result.state === "skipped" && result.note ? [{ name: test.name, reason: result.note }] : [];
}
