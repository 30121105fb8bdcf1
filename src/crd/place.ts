import type { StructuralSchema } from "../schema/index.ts";

/** A reason why a field cannot be served as its schema declares it. */
export interface Problem {
  /** A path such as `spec.ports[*].name`. */
  readonly field: string;
  readonly reason: string;
}

/** The position in a schema that is being converted. */
export interface Place {
  readonly path: string;
  /** The whole schema, which references point into. */
  readonly root: unknown;
  /** References that were followed to get here. A repeated one means that the schema is recursive. */
  readonly followed: readonly string[];
  /** The problems of the whole schema so far. */
  readonly problems: Problem[];
}

export function fieldAt(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}` };
}

/** Returns the place of any element of the list, or any value of the map. */
export function eachAt(place: Place): Place {
  return { ...place, path: `${place.path}[*]` };
}

/** Records a problem, and returns a schema with which the conversion can continue. */
export function refuse({ path, problems }: Place, reason: string): StructuralSchema {
  if (!problems.some((known) => known.field === path && known.reason === reason)) {
    problems.push({ field: path, reason });
  }
  return { "x-kubernetes-preserve-unknown-fields": true };
}
