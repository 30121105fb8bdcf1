import type { Peer } from "./bench.ts";
import { nodePeer } from "./node-peer.ts";

/**
 * A bare TLS connection that reads the same paced watch without a client: the latency floor.
 * It has only `p50` and `p99`, and no target refers to it.
 */
export function bareSocket({ cpuFigure }: { readonly cpuFigure: string }): Peer {
  return nodePeer({
    name: "bare socket",
    program: new URL("../peers/bare-socket.ts", import.meta.url),
    args: [`--cpu-figure=${cpuFigure}`],
  });
}
