import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compile, fetchPackages } from "./go.ts";
import type { KubeProgram } from "./kube-programs.ts";
import { withProgress } from "./progress.ts";

/** Builds a program, and prints its progress to stderr after `label`. */
export async function buildProgram(program: KubeProgram, output: string, label: string): Promise<void> {
  const total = await withProgress(
    () => `${label}: fetching modules`,
    () => fetchPackages(program),
  );
  let begun = 0;
  await withProgress(
    () => `${label}: compiling, ${begun} of ${total} packages`,
    () => compileWhole(program, output, () => begun++),
  );
}

/** Compiles to a temporary name first, so that every program in the folder is complete. */
async function compileWhole(program: KubeProgram, output: string, onPackage: () => void): Promise<void> {
  const folder = dirname(output);
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `.${program.name}.${process.pid}`);
  try {
    await compile(program, partial, onPackage);
    await rename(partial, output);
  } finally {
    await rm(partial, { force: true });
  }
}
