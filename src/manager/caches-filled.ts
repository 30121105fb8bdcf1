import type { HealthCheck } from "./health.ts";
import type { ControllerState, ManagedController } from "./managed-controller.ts";

/** A readiness check, "caches": fails while a controller has yet to fill its caches or waits for a kind, and names it. */
export function cachesFilled(
  controllers: () => readonly Pick<ManagedController, "name" | "state">[],
): HealthCheck {
  const check = (): void => {
    const lacking = controllers().flatMap(({ name, state }) => lackOf(name, state));
    if (lacking.length === 0) return;
    throw new Error(`expected the caches of every controller to be filled, got ${lacking.join("; ")}`);
  };
  return { name: "caches", check };
}

function lackOf(name: string, state: ControllerState): string[] {
  if (state.phase === "filling") return [`${name} not filled yet`];
  return state.phase === "waiting" ? [`${name} waiting for ${state.kinds.join(", ")}`] : [];
}
