import type { HealthCheck } from "./health.ts";
import { isAwaiting, type ManagedController } from "./managed-controller.ts";

/**
 * A readiness check, "caches": fails while a controller has yet to fill its caches, and names it. Kinds that are awaited
 * (`missingKinds: "wait"`) may never come, so readiness does not wait for them, nor for their caches when they come.
 */
export function cachesFilled(
  controllers: () => readonly Pick<ManagedController, "name" | "state">[],
): HealthCheck {
  const check = (): void => {
    const lacking = controllers().filter(({ state }) => state.phase === "filling" && !isAwaiting(state));
    if (lacking.length === 0) return;
    const names = lacking.map(({ name }) => `${name} not filled yet`).join("; ");
    throw new Error(`expected the caches of every controller to be filled, got ${names}`);
  };
  return { name: "caches", check };
}
