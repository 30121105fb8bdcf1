import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { KubeProgram } from "./kube-programs.ts";

/** Thrown if this machine cannot build, for example without Go or network. It is not a failure of the code. */
export class CannotBuildHere extends Error {
  override readonly name: string = "CannotBuildHere";
}

/** Throws `CannotBuildHere` unless the command `go` can be run. */
export function requireGo(): void {
  const { error } = spawnSync("go", ["version"]);
  if (error) throw new CannotBuildHere(`go is not installed (${error.message}): see https://go.dev/dl`);
}

/**
 * Downloads the modules of a program, and returns the number of its packages.
 * Throws `CannotBuildHere` if they cannot be downloaded, and another error if they do not match go.sum.
 */
export async function fetchPackages({ name, module, package: path }: KubeProgram): Promise<number> {
  const list = spawn("go", ["list", "-deps", path], { cwd: module, stdio: ["ignore", "pipe", "pipe"] });
  const [packages, messages, [code]] = await Promise.all([
    text(list.stdout),
    text(list.stderr),
    once(list, "close"),
  ]);
  if (code === 0) return packages.trimEnd().split("\n").length;
  if (ours.test(messages)) throw new Error(`expected the packages of ${name}, got:\n${messages.trimEnd()}`);
  throw new CannotBuildHere(`the modules of ${name} could not be fetched: ${firstProblem(messages)}`);
}

/** Messages of Go for an invalid go.mod or go.sum, or a changed module. */
const ours =
  /missing go\.sum entry|checksum mismatch|SECURITY ERROR|errors parsing|updates to go\.mod needed/;

function firstProblem(messages: string): string {
  const lines = messages.split("\n").filter((line) => line && !line.startsWith("go: downloading"));
  return (lines[0] ?? "go gave no reason").trim();
}

/** Compiles a program to `output`. Calls `onPackage` at the start of each package that is not cached. */
export async function compile(program: KubeProgram, output: string, onPackage: () => void): Promise<void> {
  const args = ["build", "-v", "-trimpath", "-ldflags", program.linker, "-o", output, program.package];
  const build = spawn("go", args, {
    cwd: program.module,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const messages: string[] = [];
  createInterface(build.stderr).on("line", (line) => {
    if (packagePath.test(line)) onPackage();
    else messages.push(line);
  });
  const [code] = await once(build, "close");
  if (code !== 0) throw new Error(`expected ${program.name} to compile, got:\n${messages.join("\n")}`);
}

/** A progress line of `go build -v`: "k8s.io/api/core/v1". */
const packagePath = /^[\w.~-]+(\/[\w.~-]+)*$/;
