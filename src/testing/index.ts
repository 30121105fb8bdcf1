/**
 * Control planes for tests: an API server to run code against, gone when the test is over.
 *
 * It promises that a cluster is ready when it is handed over, that two clusters know nothing of each other, and that
 * nothing of one is left when it is closed or when its process ends, however that happens. It does not fetch
 * or build the programs it runs.
 *
 * @module
 */
export { MissingBinariesError } from "./binaries.ts";
export type { Cluster } from "./cluster.ts";
export type { User } from "./control-plane-folder.ts";
export type { EmbeddedOptions } from "./embedded.ts";
export type { Flags } from "./flags.ts";
export { type Environment, kubeCacheFolder, kubeRelease } from "./kube-release.ts";
export {
  type BinariesOptions,
  type ClusterOptions,
  type ExistingOptions,
  startCluster,
} from "./start-cluster.ts";
