/**
 * Runs a benchmark and reports its figures.
 *
 * It promises that peers alternate in separate processes, that figures are medians over rounds, and that a peer that
 * cannot run is named with the reason. A ratio is always our figure divided by the peer's. It is independent of the
 * subject of a bench.
 *
 * @module
 */
export { bareSocket } from "./bare-socket.ts";
export { type Baseline, type BaselineBench, type BaselineFigure, readBaseline } from "./baseline.ts";
export { compareWithBaseline, measureBaseline } from "./baseline-run.ts";
export type { Bench, Case, Errand, Figure, Peer, Prepared, Reading, Target, World } from "./bench.ts";
export { bringProtobuf, type ProtobufPods } from "./bring-protobuf.ts";
export { runCommand } from "./command.ts";
export { type CommandLine, readCommandLine } from "./command-line.ts";
export { compile } from "./compile.ts";
export { type GoPeerOptions, goPeer } from "./go-peer.ts";
export { installed, type NodePeerOptions, nodeIsAtLeast, nodePeer } from "./node-peer.ts";
export { type PeerPackagesOptions, peerPackage } from "./peer-packages.ts";
export { isMistake, type ReportOptions, report, reportArguments, reportHelp } from "./report.ts";
export { type Outcome, type RoundsOptions, runRounds } from "./rounds.ts";
export { median, type Row, toRows } from "./rows.ts";
export { rustPeer } from "./rust-peer.ts";
export {
  type Filling,
  type StubBenchDefinition,
  type StubCase,
  type StubStream,
  stubBench,
} from "./stub-bench.ts";
export { renderOutcome } from "./table.ts";
