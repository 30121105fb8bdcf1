/**
 * Control planes for tests: an API server to run code against, which is removed when the test is over.
 *
 * It promises that a cluster is ready when `startCluster` resolves, that clusters are isolated from each other, and
 * that a cluster leaves no process or file when it is closed or its process ends, even by SIGKILL. The exception is an
 * embedded cluster that listens: if its process is killed, the kubeconfig file stays. The module does not download or
 * build the programs it runs.
 *
 * @module
 */
export type { FaultRule } from "../apiserver/index.ts";
export { type Clock, type Rng, seededRng, VirtualClock } from "../base/index.ts";
export type { PodBehavior, SimulatedNode, WorkloadPart, WorkloadsOptions } from "../workloads/index.ts";
export { MissingBinariesError } from "./binaries.ts";
export type { Cluster, EventuallyOptions } from "./cluster.ts";
export type { Flags } from "./control-plane-programs.ts";
export type { CustomKind } from "./custom-kinds.ts";
export type { EmbeddedOptions, EmbeddedUser } from "./embedded.ts";
export { expectIdempotent, type IdempotentOptions } from "./expect-idempotent.ts";
export { expectLosslessConversion, type LosslessOptions } from "./expect-lossless-conversion.ts";
export { type Environment, kubeCacheFolder, kubeRelease } from "./kube-release.ts";
export {
  type BinariesOptions,
  type ClusterOptions,
  type ExistingOptions,
  startCluster,
  type WorkloadsOption,
} from "./start-cluster.ts";
export type { User } from "./users.ts";
