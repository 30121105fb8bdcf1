import { equal, isObject, type JsonObject, setField } from "../../schema/index.ts";

/** Two versions of an object. */
export interface Versions {
  readonly live: JsonObject;
  readonly next: JsonObject;
}

/**
 * Returns both versions without their equal fields, down to `depth` levels. Usually this removes almost everything. The
 * rest differs at the same paths as the whole.
 */
export function differingParts({ live, next }: Versions, depth: number): Versions {
  const left: Record<string, unknown> = {};
  const right: Record<string, unknown> = {};
  for (const key of Object.keys(live)) if (!Object.hasOwn(next, key)) setField(left, key, live[key]);
  for (const key of Object.keys(next)) {
    if (!Object.hasOwn(live, key)) setField(right, key, next[key]);
    else if (!equal(live[key], next[key])) {
      const [before, after] = partsAt(live[key], next[key], depth - 1);
      setField(left, key, before);
      setField(right, key, after);
    }
  }
  return { live: left, next: right };
}

function partsAt(live: unknown, next: unknown, depth: number): readonly [unknown, unknown] {
  if (depth === 0 || !isObject(live) || !isObject(next)) return [live, next];
  const parts = differingParts({ live, next }, depth);
  return [parts.live, parts.next];
}
