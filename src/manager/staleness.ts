import { type AnyKind, kindName } from "../api/index.ts";
import type { WatchHealth } from "../cache/index.ts";
import type { HealthCheck } from "./health.ts";

/** A copy of a kind's objects, as an informer is one. */
export interface Watched {
  readonly kind: AnyKind;
  readonly health: WatchHealth;
}

export interface StalenessOptions {
  /** How long a watch may be silent. A bookmark comes about once a minute. @default 180,000 */
  readonly boundMs?: number | undefined;
}

/**
 * A readiness check, "watches": fails while a copy may be older than the bound, or has never been filled, and names the
 * kinds. What is not started or has ended is not looked at.
 *
 * @param watched asked for at each check, since kinds come and go
 */
export function watchStaleness(
  watched: () => Iterable<Watched>,
  { boundMs = 180_000 }: StalenessOptions = {},
): HealthCheck {
  const check = (): void => {
    const stale = Array.from(watched(), (each) => problemOf(each, boundMs)).filter(isText);
    if (stale.length === 0) return;
    const list = [...new Set(stale)].sort().join("; ");
    throw new Error(`expected to hear of every watched kind within ${seconds(boundMs)}, got ${list}`);
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
