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
export { kubeCacheFolder, kubeRelease } from "./kube-release.ts";
