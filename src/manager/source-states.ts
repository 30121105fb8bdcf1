import type { HealthCheck } from "./health.ts";
import type { ManagedController } from "./managed-controller.ts";

/**
 * A readiness check, "sources", that shows in `?verbose` how the external sources of the running controllers are. It always
 * passes: an unready process would be taken out of service, which restores no source, and a standby runs none.
 *
 * @param controllers called at each check, because controllers come and go
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
