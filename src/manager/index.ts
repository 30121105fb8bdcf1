/**
 * Runs controllers: one connection to the cluster, shared caches, leader election, and an end in good order.
 *
 * It promises that nothing is reconciled before the caches are filled, that the first signal stops intake and lets what was
 * begun end within a bound, that the lease is given back last, and that no write leaves after leadership ended. Controllers
 * may be added and stopped while it runs; one whose kind goes stands still until it is back, and the others go on.
 *
 * @module
 */

export { manager } from "./controller-manager.ts";
export type { HealthCheck } from "./health.ts";
export type { Manager } from "./manager.ts";
export type { LeaderElectionOptions, ManagerOptions } from "./manager-options.ts";
export type { Runnable, RunnableContext } from "./runnable.ts";
export type { RunnableHandle } from "./runnable-handle.ts";
export type { TlsFiles, TlsOptions } from "./server-certificate.ts";
export type { HealthOptions, MetricsOptions } from "./servers.ts";
