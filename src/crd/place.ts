import type { StructuralSchema } from "../schema/index.ts";

/** Why a field cannot be as its schema says. */
export interface Problem {
  /** A path like `spec.ports[*].name`. */
  readonly field: string;
  readonly reason: string;
}

/** Where a schema is being read. */
export interface Place {
  readonly path: string;
  /** The whole schema: what references point into. */
  readonly root: unknown;
  /** References that were followed to get here. One that comes again has no end. */
  readonly followed: readonly string[];
  /** What was refused so far, all over the schema. */
  readonly problems: Problem[];
}

export function fieldAt(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}` };
}

/** Any element of the list, or any value of the map. */
export function eachAt(place: Place): Place {
  return { ...place, path: `${place.path}[*]` };
}

/** Notes the problem, and gives a schema with which reading can go on. */
export function refuse({ path, problems }: Place, reason: string): StructuralSchema {
  if (!problems.some((known) => known.field === path && known.reason === reason)) {
    problems.push({ field: path, reason });
  }
  return { "x-kubernetes-preserve-unknown-fields": true };
}
