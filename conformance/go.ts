import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { KubeProgram } from "./kube-programs.ts";

/** This machine cannot build, through no fault of the code: nothing is wrong, and nothing is built. */
export class CannotBuildHere extends Error {
  override readonly name: string = "CannotBuildHere";
}

/** Throws `CannotBuildHere` unless the command `go` can be run. */
export function requireGo(): void {
  const { error } = spawnSync("go", ["version"]);
  if (error) throw new CannotBuildHere(`go is not installed (${error.message}): see https://go.dev/dl`);
}

/**
 * Fetches what a program is built from. Gives the number of its packages.
 * What cannot be fetched is `CannotBuildHere`; what was fetched and is not what go.sum says is an error.
 */
export async function fetchPackages({ name, module, package: path }: KubeProgram): Promise<number> {
  const list = spawn("go", ["list", "-deps", path], { cwd: module, stdio: ["ignore", "pipe", "pipe"] });
  const [packages, complaints, [code]] = await Promise.all([
    text(list.stdout),
    text(list.stderr),
    once(list, "close"),
  ]);
  if (code === 0) return packages.trimEnd().split("\n").length;
  if (ours.test(complaints))
    throw new Error(`expected the packages of ${name}, got:\n${complaints.trimEnd()}`);
  throw new CannotBuildHere(`the modules of ${name} could not be fetched: ${firstProblem(complaints)}`);
}

/** What Go says when go.mod or go.sum is wrong, or a module is not what it was. */
const ours =
  /missing go\.sum entry|checksum mismatch|SECURITY ERROR|errors parsing|updates to go\.mod needed/;

function firstProblem(complaints: string): string {
  const lines = complaints.split("\n").filter((line) => line && !line.startsWith("go: downloading"));
  return (lines[0] ?? "go gave no reason").trim();
}

/** Compiles a program to `output`. Calls `onPackage` as each package is begun; those compiled before are passed over. */
export async function compile(program: KubeProgram, output: string, onPackage: () => void): Promise<void> {
  const args = ["build", "-v", "-trimpath", "-ldflags", program.linker, "-o", output, program.package];
  const build = spawn("go", args, {
    cwd: program.module,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaints: string[] = [];
  createInterface(build.stderr).on("line", (line) => {
    if (packagePath.test(line)) onPackage();
    else complaints.push(line);
  });
  const [code] = await once(build, "close");
  if (code !== 0) throw new Error(`expected ${program.name} to compile, got:\n${complaints.join("\n")}`);
}

/** A line of `go build -v` that is no complaint: "k8s.io/api/core/v1". */
const packagePath = /^[\w.~-]+(\/[\w.~-]+)*$/;
