import { type AnyKind, kindName } from "../api/index.ts";
import type { WatchHealth } from "../cache/index.ts";
import type { HealthCheck } from "./health.ts";

/** A cached kind and the health of its watch, such as an informer. */
export interface Watched {
  readonly kind: AnyKind;
  readonly health: WatchHealth;
}

export interface StalenessOptions {
  /**
   * Time without an event or bookmark after which a watch is stale. Servers send bookmarks about once a minute.
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
