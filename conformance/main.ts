/**
 * Runs the suite against one engine: `npm run conformance -- --engine embedded|binaries|existing [--filter TEXT] [--skip-missing]`.
 *
 * The last line is the count, and the exit code is 1 when a scenario failed or none ran. Without the programs of
 * engine "binaries" that is a failure too, unless `--skip-missing` says that it may be so.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Cluster, MissingBinariesError, startCluster } from "trimtab/testing";
import type { Vitest } from "vitest/node";
import type { Engine } from "./scenario.ts";

const engines: readonly Engine[] = ["embedded", "binaries", "existing"];

/** Scenarios at a time in each of the suite's processes. */
const concurrency = 8;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { engine, filter, skipMissing } = choices();
    return await onCluster(engine, filter).catch((error: unknown) => {
      if (!skipMissing || !(error instanceof MissingBinariesError)) throw error;
      console.error(`conformance: skipped, ${error.message}`);
      return 0;
    });
  } catch (error) {
    console.error(`conformance: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}

interface Choices {
  readonly engine: Engine;
  readonly filter: string;
  readonly skipMissing: boolean;
}

function choices(): Choices {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "none" },
      filter: { type: "string", default: "" },
      "skip-missing": { type: "boolean", default: false },
    },
  });
  const engine = engines.find((known) => known === values.engine);
  if (engine) return { engine, filter: values.filter, skipMissing: values["skip-missing"] };
  throw new Error(`expected --engine ${engines.join(" or ")}, got ${values.engine}`);
}

async function onCluster(engine: Engine, filter: string): Promise<number> {
  await using cluster = await startCluster(engine === "embedded" ? { engine, listen: true } : { engine });
  return await runSuite(engine, cluster, filter);
}

async function runSuite(engine: Engine, cluster: Cluster, filter: string): Promise<number> {
  // A second to load, which a start that fails can do without.
  const { escapeTestName, startVitest } = await import("vitest/node");
  const vitest = await startVitest("test", [], {
    config: false,
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["suite/**/*.ts"],
    testNamePattern: escapeTestName(filter, false),
    sequence: { concurrent: true },
    maxConcurrency: concurrency,
    testTimeout: 60_000,
    watch: false,
    provide: { engine, kubeconfig: cluster.kubeconfig },
  });
  try {
    return verdict(vitest, filter);
  } finally {
    await vitest.close();
  }
}

/** Prints the count. A file that could not be loaded counts as one that failed. */
function verdict({ state }: Vitest, filter: string): number {
  const modules = state.getTestModules();
  const results = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  );
  const broken =
    modules.filter((module) => module.errors().length > 0).length + state.getUnhandledErrors().length;
  const passed = results.filter((result) => result === "passed").length;
  const failed = results.filter((result) => result === "failed").length + broken;
  if (passed + failed === 0)
    console.error(`conformance: expected scenarios named like "${filter}", got none`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
