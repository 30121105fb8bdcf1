import { type AnyKind, kindName } from "../api/index.ts";
import type { WatchHealth } from "../cache/index.ts";
import { isAwaiting, type ManagedController } from "./managed-controller.ts";
import type { HealthCheck } from "./servers/health-server.ts";

/**
 * Returns the readiness check "caches", which fails while caches of a controller have not synced, and names the
 * controller. It ignores controllers that wait for missing kinds (`missingKinds: "wait"`), because these kinds may
 * never be installed.
 */
export function cachesSynced(
  controllers: () => readonly Pick<ManagedController, "name" | "state">[],
): HealthCheck {
  const check = (): void => {
    const unsynced = controllers().filter(({ state }) => state.phase === "syncing" && !isAwaiting(state));
    if (unsynced.length === 0) return;
    const names = unsynced.map(({ name }) => `${name} not synced`).join("; ");
    throw new Error(`expected the caches of every controller to be synced, got ${names}`);
  };
  return { name: "caches", check };
}

/** A cached kind and the health of its watch, such as an informer. */
export interface Watched {
  readonly kind: AnyKind;
  readonly health: WatchHealth;
}

export interface StalenessOptions {
  /**
   * Time without a response of the server after which a watch is stale. A watch without a byte for 70 s is replaced before
   * that, so only a server that cannot be reached, or refuses the watch, makes it stale.
   * @default 180_000
   */
  readonly boundMs?: number | undefined;
}

/**
 * Returns the readiness check "watches", which fails while a cache has not been listed or its watch is stale, and names
 * the kinds. Informers that have not started or have ended are ignored.
 *
 * @param watched Called at each check, because kinds are added and removed.
 */
export function watchStaleness(
  watched: () => Iterable<Watched>,
  { boundMs = 180_000 }: StalenessOptions = {},
): HealthCheck {
  const check = (): void => {
    const stale = Array.from(watched(), (each) => problemOf(each, boundMs)).filter(isText);
    if (stale.length === 0) return;
    const list = [...new Set(stale)].sort().join("; ");
    throw new Error(`expected every watch to be active within ${seconds(boundMs)}, got ${list}`);
  };
  return { name: "watches", check };
}

function problemOf({ kind, health }: Watched, boundMs: number): string | undefined {
  const { phase, resourceVersion, silentMs = 0, lastError } = health;
  if (phase === "empty" || phase === "closed") return undefined;
  const why = lastError ? ` (${lastError.message})` : "";
  if (resourceVersion === undefined) return `${kindName(kind)} not listed yet${why}`;
  return silentMs > boundMs ? `${kindName(kind)} heard ${seconds(silentMs)} ago${why}` : undefined;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

/**
 * Returns the readiness check "sources", which shows the states of external sources in `?verbose`. It always passes,
 * because taking an unready process out of service would not restore a source.
 *
 * @param controllers Called at each check, because controllers are added and removed.
 */
export function sourceStates(controllers: () => Iterable<SourcesOf>): HealthCheck {
  const note = (): string => Array.from(controllers(), statesOf).flat().join("; ");
  return { name: "sources", check() {}, note };
}

type SourcesOf = Pick<ManagedController, "name" | "running">;

function statesOf({ name: controller, running }: SourcesOf): string[] {
  return (running?.sources ?? []).map(({ name, state: { restarts, restartInMs } }) => {
    const phase = restartInMs === undefined ? "running" : `restarting in ${Math.ceil(restartInMs / 1000)} s`;
    return `${controller}/${name} ${phase}, ${restarts} restarts`;
  });
}
