import type { CompiledSchema } from "./compiled-schema.ts";
import { goQuoted } from "./go-text.ts";
import type { Trial, Walk } from "./walk.ts";

/** Reports where a value breaks `anyOf`, `oneOf`, `allOf` or `not`. Counts two, and what the alternatives count. */
export function checkAlternatives(schema: CompiledSchema, value: unknown, walk: Walk): number {
  const { anyOf, oneOf, allOf, not } = schema;
  let matches = 2;
  if (anyOf.length > 0) matches += checkAnyOf(anyOf, value, walk);
  if (oneOf.length > 0) matches += checkOneOf(oneOf, value, walk);
  if (allOf.length > 0) matches += checkAllOf(allOf, value, walk);
  if (not) checkNot(not, value, walk);
  return matches;
}

function holds({ errors }: Trial): boolean {
  return errors.length === 0;
}

/** The failed alternative whose errors are told: the first of those that match most. */
function nearest(trials: readonly Trial[]): Trial {
  return trials.reduce((best, trial) => (trial.matches > best.matches ? trial : best));
}

function checkAnyOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials: Trial[] = [];
  for (const schema of schemas) {
    const trial = walk.tryAlternative(schema, value);
    if (holds(trial)) return trial.matches;
    trials.push(trial);
  }
  walk.reportLoose(`${goQuoted(walk.path)} must validate at least one schema (anyOf)`);
  return tell(nearest(trials), walk);
}

function checkOneOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials = schemas.map((schema) => walk.tryAlternative(schema, value));
  const holding = trials.filter(holds);
  if (holding.length === 1) return holding[0]?.matches ?? 0;
  const found = holding.length === 0 ? "Found none valid" : `Found ${holding.length} valid alternatives`;
  walk.reportLoose(`${goQuoted(walk.path)} must validate one and only one schema (oneOf). ${found}`);
  return holding.length === 0 ? tell(nearest(trials), walk) : 0;
}

function checkAllOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials = schemas.map((schema) => walk.tryAlternative(schema, value));
  const matches = trials.reduce((total, trial) => total + tell(trial, walk), 0);
  if (trials.every(holds)) return matches;
  const none = trials.some(holds) ? "" : ". None validated";
  walk.reportLoose(`${goQuoted(walk.path)} must validate all the schemas (allOf)${none}`);
  return matches;
}

function checkNot(schema: CompiledSchema, value: unknown, walk: Walk): void {
  if (!holds(walk.tryAlternative(schema, value))) return;
  walk.reportLoose(`${goQuoted(walk.path)} must not validate the schema (not)`);
}

function tell({ errors, matches }: Trial, walk: Walk): number {
  for (const error of errors) walk.report(error);
  return matches;
}
