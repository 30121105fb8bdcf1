import type { HealthCheck } from "./health.ts";
import { isAwaiting, type ManagedController } from "./managed-controller.ts";

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
