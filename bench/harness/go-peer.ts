import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Peer, Prepared } from "./bench.ts";

export interface GoPeerOptions {
  readonly name: string;
  /** Name of a folder of `bench/go`. */
  readonly package: string;
  /** Arguments before those of the case. */
  readonly args?: readonly string[] | undefined;
}

/** A peer that is a Go program of this workspace. It is skipped without Go or its modules. */
export function goPeer(options: GoPeerOptions): Peer {
  return { name: options.name, prepare: () => prepare(options) };
}

async function prepare({ package: folder, args = [] }: GoPeerOptions): Promise<Prepared> {
  const program = fileURLToPath(new URL(`../.cache/go-${folder}`, import.meta.url));
  const { error, status, stderr } = spawnSync("go", ["build", "-trimpath", "-o", program, `./${folder}`], {
    cwd: fileURLToPath(new URL("../go/", import.meta.url)),
    encoding: "utf8",
  });
  if (error) return { skipped: "go is not installed" };
  if (status === 0) return { command: [program, ...args] };
  if (/dial tcp|no such host|connection refused|module lookup disabled/.test(stderr)) {
    return { skipped: "its Go modules could not be fetched" };
  }
  throw new Error(`expected bench/go/${folder} to compile, got:\n${stderr}`);
}
