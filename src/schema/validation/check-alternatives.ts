import type { CompiledSchema } from "../structure/compiled-schema.ts";
import type { Trial, Walk } from "../structure/walk.ts";
import { goQuoted } from "../values/go-text.ts";

/**
 * Reports where a value violates `anyOf`, `oneOf`, `allOf` or `not`. Returns two plus the match count of the
 * alternatives.
 */
export function checkAlternatives(schema: CompiledSchema, value: unknown, walk: Walk): number {
  const { anyOf, oneOf, allOf, not } = schema;
  let matches = 2;
  if (anyOf.length > 0) matches += checkAnyOf(anyOf, value, walk);
  if (oneOf.length > 0) matches += checkOneOf(oneOf, value, walk);
  if (allOf.length > 0) matches += checkAllOf(allOf, value, walk);
  if (not) checkNot(not, value, walk);
  return matches;
}

function isValid({ errors }: Trial): boolean {
  return errors.length === 0;
}

/** Returns the failed alternative whose errors are reported: the first one with the highest match count. */
function closest(trials: readonly Trial[]): Trial {
  return trials.reduce((best, trial) => (trial.matches > best.matches ? trial : best));
}

function checkAnyOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials: Trial[] = [];
  for (const schema of schemas) {
    const trial = walk.tryAlternative(schema, value);
    if (isValid(trial)) return trial.matches;
    trials.push(trial);
  }
  walk.reportWithoutField(`${goQuoted(walk.path)} must validate at least one schema (anyOf)`);
  return reportTrial(closest(trials), walk);
}

function checkOneOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials = schemas.map((schema) => walk.tryAlternative(schema, value));
  const valid = trials.filter(isValid);
  if (valid.length === 1) return valid[0]?.matches ?? 0;
  const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  walk.reportWithoutField(`${goQuoted(walk.path)} must validate one and only one schema (oneOf). ${found}`);
  return valid.length === 0 ? reportTrial(closest(trials), walk) : 0;
}

function checkAllOf(schemas: readonly CompiledSchema[], value: unknown, walk: Walk): number {
  const trials = schemas.map((schema) => walk.tryAlternative(schema, value));
  const matches = trials.reduce((total, trial) => total + reportTrial(trial, walk), 0);
  if (trials.every(isValid)) return matches;
  const none = trials.some(isValid) ? "" : ". None validated";
  walk.reportWithoutField(`${goQuoted(walk.path)} must validate all the schemas (allOf)${none}`);
  return matches;
}

function checkNot(schema: CompiledSchema, value: unknown, walk: Walk): void {
  if (!isValid(walk.tryAlternative(schema, value))) return;
  walk.reportWithoutField(`${goQuoted(walk.path)} must not validate the schema (not)`);
}

function reportTrial({ errors, matches }: Trial, walk: Walk): number {
  for (const error of errors) walk.report(error);
  return matches;
}
