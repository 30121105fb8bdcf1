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
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { kubeCacheFolder } from "../src/testing/index.ts";
import { CannotBuildHere, compile, fetchPackages, requireGo } from "./go.ts";
import { type KubeProgram, kubePrograms } from "./kube-programs.ts";
import { withProgress } from "./progress.ts";

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
  await mkdir(folder, { recursive: true });
  for (const [index, program] of missing.entries()) {
    const label = `kube: ${index + 1}/${missing.length} ${program.name}`;
    await build(program, label);
  }
}

async function build(program: KubeProgram, label: string): Promise<void> {
  const total = await withProgress(
    () => `${label}: fetching modules`,
    () => fetchPackages(program),
  );
  let begun = 0;
  await withProgress(
    () => `${label}: compiling, ${begun} of ${total} packages`,
    () => compileWhole(program, () => begun++),
  );
}

/** Compiles to a temporary name first, so that every program in the folder is complete. */
async function compileWhole(program: KubeProgram, onPackage: () => void): Promise<void> {
  const partial = join(folder, `.${program.name}.${process.pid}`);
  try {
    await compile(program, partial, onPackage);
    await rename(partial, join(folder, program.name));
  } finally {
    await rm(partial, { force: true });
  }
}
