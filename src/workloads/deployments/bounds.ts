import { type Frozen, resolveIntOrPercent } from "../../api/index.ts";
import type { Deployment } from "../../api/types/apps/v1.ts";

/** How far a rollout may leave the number of replicas that a Deployment asks for. */
export interface Bounds {
  readonly replicas: number;
  /** Replicas that may exist in addition. */
  readonly surge: number;
  /** Replicas that may be unavailable. */
  readonly unavailable: number;
}

export function boundsOf({ spec }: Frozen<Deployment>): Bounds {
  const { replicas = 1, strategy } = spec;
  if (strategy?.type === "Recreate") return { replicas, surge: 0, unavailable: 0 };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  const surge = resolveIntOrPercent(maxSurge, replicas, { round: "up" });
  const unavailable = resolveIntOrPercent(maxUnavailable, replicas, { round: "down" });
  // If both are 0, no step of the rollout would be allowed.
  return { replicas, surge, unavailable: Math.min(replicas, surge + unavailable === 0 ? 1 : unavailable) };
}
