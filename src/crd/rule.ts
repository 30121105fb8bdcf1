import type { ValidationRule } from "../schema/index.ts";
import { isExtension, type JsonSchema, listOf, rulePrefix } from "./json-schema.ts";

/** The parts of a validation rule beside its expression. */
export interface RuleOptions extends Omit<ValidationRule, "rule"> {}

/** Metadata of a schema, for `meta` of zod. The results of several functions can be combined: `{ ...a, ...b }`. */
export type SchemaMetadata = Readonly<Record<string, unknown>>;

/**
 * Returns a validation rule in CEL, to be added to the schema of the value that it validates:
 *
 * ```ts
 * z.object({ min: z.int32(), max: z.int32() }).meta(rule("self.min <= self.max", { message: "must not exceed max",
 * fieldPath: ".min" }))
 * ```
 *
 * Rules of several `meta` calls add up. A rule that uses `oldSelf` runs only on updates. The API server limits the
 * estimated cost of rules, so lists, maps and strings that a rule reads need `max`. The embedded API server stores
 * rules and does not run them.
 */
export function rule(expression: string, options: RuleOptions = {}): SchemaMetadata {
  return { [`${rulePrefix}${expression}`]: { rule: expression, ...options } };
}

/**
 * Returns the rule that a value cannot change: `self == oldSelf`. An optional field can still be added and removed. Add
 * a rule to its parent to prevent that: `rule("has(self.size) == has(oldSelf.size)")`.
 */
export function immutable(): SchemaMetadata {
  return rule("self == oldSelf", { message: "field is immutable" });
}

/** Returns the metadata of a list whose elements are identified, and merged by apply, by the given fields. */
export function listMap(...keys: readonly string[]): SchemaMetadata {
  return { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

/** Returns the extensions of Kubernetes in a JSON Schema, with all rules in one list. */
export function extensionsIn(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const extensions = Object.entries(schema).filter(([keyword]) => isExtension(keyword));
  const own = extensions.filter(([keyword]) => !keyword.startsWith(rulePrefix));
  const rules = [
    ...listOf(schema[validations]),
    ...extensions.flatMap(([keyword, value]) => (keyword.startsWith(rulePrefix) ? [value] : [])),
  ];
  return { ...Object.fromEntries(own), ...(rules.length === 0 ? {} : { [validations]: rules }) };
}

const validations = "x-kubernetes-validations";
