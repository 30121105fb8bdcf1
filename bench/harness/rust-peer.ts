import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Peer, Prepared } from "./bench.ts";

/** A peer that is a program of `bench/rust`. It is skipped without Rust or its crates. */
export function rustPeer(options: { readonly name: string; readonly program: string }): Peer {
  return { name: options.name, prepare: () => prepare(options.program) };
}

/** Timeout of the build: the first one takes minutes. */
async function prepare(program: string): Promise<Prepared> {
  const target = fileURLToPath(new URL("../.cache/rust", import.meta.url));
  const { error, status, stderr } = spawnSync(
    "cargo",
    ["build", "--release", "--locked", "--bin", program, "--target-dir", target],
    { cwd: fileURLToPath(new URL("../rust/", import.meta.url)), encoding: "utf8" },
  );
  if (error) return { skipped: "cargo is not installed" };
  if (status === 0) return { command: [`${target}/release/${program}`] };
  if (/failed to (download|get|fetch)|Could not resolve host|unable to update registry/i.test(stderr)) {
    return { skipped: "its crates could not be fetched" };
  }
  throw new Error(`expected bench/rust to compile, got:\n${stderr}`);
}
