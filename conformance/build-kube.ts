/**
 * Builds etcd, kube-apiserver, kube-controller-manager and kubectl of the pinned release into the user's cache folder.
 * Existing programs are not built again.
 *
 * `npm run kube`            builds, and prints the folder
 * `npm run kube -- --path`  prints the folder if everything is in it, and fails otherwise
 *
 * Without Go, or if the modules cannot be fetched, it prints the reason and succeeds. A compile error fails.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { kubeCacheFolder } from "../src/testing/index.ts";
import { buildProgram } from "./build-program.ts";
import { CannotBuildHere, requireGo } from "./go.ts";
import { type KubeProgram, kubePrograms } from "./kube-programs.ts";

const folder = kubeCacheFolder();

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { path: { type: "boolean" } } });
  const missing = kubePrograms.filter(({ name }) => !existsSync(join(folder, name)));
  if (values.path && missing.length > 0) return 1;
  try {
    if (missing.length > 0) await buildAll(missing);
    console.log(folder);
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  const skipped = error instanceof CannotBuildHere;
  const text = error instanceof Error ? error.message : String(error);
  console.error(skipped ? `kube: skipped, ${text}` : `kube: ${text}`);
  return skipped ? 0 : 1;
}

async function buildAll(missing: readonly KubeProgram[]): Promise<void> {
  requireGo();
  for (const [index, program] of missing.entries()) {
    const label = `kube: ${index + 1}/${missing.length} ${program.name}`;
    await buildProgram(program, join(folder, program.name), label);
  }
}
