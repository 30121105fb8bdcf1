import type { Bench, Prepared } from "./bench.ts";

/**
 * Returns the bench with ours under Node's profiler, which writes a file into `folder` for each run, and costs some
 * speed.
 */
export function profiled(bench: Bench, folder: string): Bench {
  const peers = bench.peers.map((peer) =>
    peer.ours ? { ...peer, prepare: async () => underProfiler(await peer.prepare(), folder) } : peer,
  );
  return { ...bench, peers };
}

function underProfiler(prepared: Prepared, folder: string): Prepared {
  if ("skipped" in prepared) return prepared;
  const [node = "", ...program] = prepared.command;
  return { command: [node, "--cpu-prof", `--cpu-prof-dir=${folder}`, ...program] };
}
