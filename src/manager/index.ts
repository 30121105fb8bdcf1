/**
 * The manager runs controllers with one client, shared caches, leader election and graceful shutdown.
 *
 * Guarantees: no reconcile starts before the caches have synced; the first signal stops new reconciles and gives
 * running ones a limited time; the lease is released last; no write is sent after leadership has ended. Controllers may
 * be added and stopped while the manager runs. A controller whose kind is removed pauses until the kind is back; the
 * others continue.
 *
 * @module
 */

export type { TlsFiles } from "../serving/index.ts";
export { type CachedKind, type CachedView, type CacheOptions, cached } from "./cache-options.ts";
export { manager } from "./controller-manager.ts";
export type { LeaderElectionOptions, Manager, ManagerAddresses, ManagerOptions } from "./manager.ts";
export type { Runnable, RunnableContext, RunnableHandle } from "./runnable.ts";
export type { HealthCheck } from "./servers/health-server.ts";
export type { TlsOptions } from "./servers/http-server.ts";
export type { HealthOptions, MetricsOptions } from "./servers/servers.ts";
