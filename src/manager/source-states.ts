import type { HealthCheck } from "./health.ts";
import type { ManagedController } from "./managed-controller.ts";

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
