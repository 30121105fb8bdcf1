/**
 * What built-in kinds do differently from all others: one file a group, one entry a kind.
 *
 * A kind without an entry is served by the generic engine alone.
 *
 * @module
 */
import type { Strategy } from "../resource.ts";

/** By group and kind: `"apps/Deployment"`, `"/Pod"`. */
export const strategies: ReadonlyMap<string, Strategy> = new Map();
