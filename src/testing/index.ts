/**
 * Control planes for tests: an API server to run code against, gone when the test is over.
 *
 * It promises that a cluster is ready when it is handed over, that two clusters know nothing of each other, and that
 * nothing of one is left when it is closed or when its process ends, however that happens; but for the kubeconfig of an
 * embedded cluster that listens, where its process is killed. It does not fetch or build the programs it runs.
 *
 * @module
 */
export type { FaultRule } from "../apiserver/index.ts";
export { type Clock, type Rng, seededRng, VirtualClock } from "../base/index.ts";
export { MissingBinariesError } from "./binaries.ts";
export type { Cluster, EventuallyOptions } from "./cluster.ts";
export type { CustomKind } from "./custom-kinds.ts";
export type { EmbeddedOptions, EmbeddedUser } from "./embedded.ts";
export { expectIdempotent, type IdempotentOptions } from "./expect-idempotent.ts";
export type { Flags } from "./flags.ts";
export { type Environment, kubeCacheFolder, kubeRelease } from "./kube-release.ts";
export {
  type BinariesOptions,
  type ClusterOptions,
  type ExistingOptions,
  startCluster,
} from "./start-cluster.ts";
export type { User } from "./users.ts";
