import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kubeCacheFolder } from "../src/testing/index.ts";
import { buildProgram } from "./build-program.ts";
import { requireGo } from "./go.ts";
import type { KubeProgram } from "./kube-programs.ts";

/** Returns a program of a Go module in this folder. Its package is the module's own by default. */
export function goProgram(
  folder: string,
  program: { name: string; package: string } | undefined = undefined,
): KubeProgram {
  const module = fileURLToPath(new URL(`./${folder}`, import.meta.url));
  return { name: folder, package: ".", ...program, module, linker: "-s -w" };
}

/**
 * Returns the path of a built program. It is kept in the user's cache folder, and built again if its module changes.
 * Throws `CannotBuildHere` if this machine cannot build it.
 */
export async function builtProgram(program: KubeProgram): Promise<string> {
  const output = join(kubeCacheFolder(), "go", await fingerprint(program), program.name);
  if (existsSync(output)) return output;
  requireGo();
  await buildProgram(program, output, `go: ${program.name}`);
  return output;
}

/** Returns a hash of all that the program is built from: go.sum pins the other modules. */
async function fingerprint(program: KubeProgram): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([program.package, program.linker]));
  for (const file of (await readdir(program.module)).sort()) {
    hash.update(`\0${file}\0`).update(await readFile(join(program.module, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
