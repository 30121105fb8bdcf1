import type { StructuralSchema, ValidationRule } from "../schema/index.ts";
import type { Problem } from "./place.ts";

/**
 * Returns the rules that use `oldSelf` where an API server refuses it: inside a list that is not of type `map`, because
 * its elements have no identity over time. Refuses `optionalOldSelf` without `oldSelf`, too.
 */
export function transitionProblems(schema: StructuralSchema): Problem[] {
  return [...problemsAt(schema, { path: "", list: undefined })];
}

interface SchemaPlace {
  readonly path: string;
  /** The path of the outermost list whose elements have no identity. */
  readonly list: string | undefined;
}

function* problemsAt(schema: StructuralSchema, place: SchemaPlace): Iterable<Problem> {
  for (const rule of schema["x-kubernetes-validations"] ?? []) yield* ruleProblems(rule, place);
  const { path } = place;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* problemsAt(field, { ...place, path: path === "" ? name : `${path}.${name}` });
  }
  const { additionalProperties: values, items } = schema;
  if (typeof values === "object") yield* problemsAt(values, { ...place, path: `${path}[*]` });
  const list = place.list ?? (schema["x-kubernetes-list-type"] === "map" ? undefined : path);
  if (items) yield* problemsAt(items, { path: `${path}[*]`, list });
}

function* ruleProblems(
  { rule, messageExpression = "", optionalOldSelf }: ValidationRule,
  { path, list }: SchemaPlace,
): Iterable<Problem> {
  const uses = usesOldSelf(rule) || usesOldSelf(messageExpression);
  const field = path === "" ? "rules" : path;
  if (uses && list !== undefined) yield { field, reason: uncorrelated(rule, list) };
  if (optionalOldSelf === true && !usesOldSelf(rule))
    yield { field, reason: `the rule ${JSON.stringify(rule)} has optionalOldSelf and does not use oldSelf` };
}

function uncorrelated(rule: string, list: string): string {
  return (
    `the rule ${JSON.stringify(rule)} uses oldSelf inside the list ${list}, whose elements have no identity: ` +
    "add listMap() with their key fields to the list, or the rule to a field outside of it"
  );
}

/** Returns true if a CEL expression has the variable `oldSelf` outside of string literals. */
function usesOldSelf(expression: string): boolean {
  const code = expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  return /(?<![.\w])oldSelf\b/.test(code);
}
