import type { Peer } from "./bench.ts";
import { nodePeer } from "./node-peer.ts";

/**
 * Not a client, but a bare TLS connection that reads the same paced watch: how late events are without any client.
 *
 * It is for cases with `p50` and `p99` alone, and no target speaks of it.
 */
export function bareSocket({ cpuFigure }: { readonly cpuFigure: string }): Peer {
  return nodePeer({
    name: "bare socket",
    program: new URL("../peers/bare-socket.ts", import.meta.url),
    args: [`--cpu-figure=${cpuFigure}`],
  });
}
