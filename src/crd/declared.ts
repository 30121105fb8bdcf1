import type { DeclaredKind, DeclaredVersion } from "./definition.ts";
import type { Problem } from "./place.ts";
import { pluralOf } from "./plural-of.ts";
import type { KindOptions } from "./resource-definition.ts";
import { resourceSchema } from "./resource-schema.ts";
import { versionProblems } from "./version-problems.ts";

/** Returns the declaration of a kind with its defaults. */
export function declaredKind(options: KindOptions): DeclaredKind {
  const { plural = pluralOf(options.kind), scope = "Namespaced" } = options;
  return { ...options, plural, scope };
}

/** Returns a version with its structural schema, and adds its problems to `problems`. */
export function declaredVersion(
  given: Omit<DeclaredVersion, "schema">,
  problems: Problem[],
): DeclaredVersion {
  const own: Problem[] = [];
  const version = { ...given, schema: resourceSchema(given.options, own) };
  // The other options refer to fields of the schema.
  if (own.length === 0) own.push(...versionProblems(version));
  problems.push(...own);
  return version;
}
