import { isRecord } from "./json-schema.ts";

/** The keyword that marks a schema with code. Its value is the reason why it is refused. */
export const codeMark = "x-code";

/**
 * Returns the reason why a zod schema is refused because of its own code, or `undefined`. JSON Schema silently omits
 * refinements, preprocessing and the like, and no API server runs them.
 */
export function codeInSchema(zodSchema: unknown): string | undefined {
  const definition = definitionOf(zodSchema);
  if (!definition) return undefined;
  return transformIn(definition) ?? stepIn(definition) ?? checkIn(definition);
}

const stored = "no API server runs it: declare the stored type, and change objects in an admission webhook";
const validated = "no API server runs it: declare a validation rule with rule(), or use an admission webhook";

/** Returns the reason for code that changes the value: a transform, or a pipe that has one on either side. */
function transformIn({ type, in: from, out: to, transform }: ZodDefinition): string | undefined {
  const sides = type === "pipe" ? [from, to].map((each) => definitionOf(each)?.type) : [type];
  const transforms = sides.includes("transform") || (type === "pipe" && transform !== undefined);
  return transforms ? `the schema has code (transform, preprocess or codec), but ${stored}` : undefined;
}

function stepIn({ type, coerce }: ZodDefinition): string | undefined {
  if (type === "catch")
    return "the schema has code (catch), but an API server refuses an invalid value: use default for a missing one";
  return coerce === true
    ? "the schema converts its input (coerce), but an API server does not: remove coerce"
    : undefined;
}

function checkIn({ checks, check, fn, pattern }: ZodDefinition): string | undefined {
  const attached = Array.isArray(checks) ? checks.map(definitionOf) : [];
  // A type may itself be a check. `z.custom`, which is one, has no JSON Schema unless its metadata is one.
  const own = check === "custom" ? undefined : { check, fn, pattern };
  return [own, ...attached].map((each) => each && checkReason(each)).find((reason) => reason !== undefined);
}

/** Returns the reason for a check that JSON Schema cannot express. */
function checkReason({ check, fn, pattern }: ZodDefinition): string | undefined {
  if (check === "custom") return `the schema has code (refine, superRefine or check), but ${validated}`;
  if (check === "overwrite") return `the schema has code (trim, toLowerCase or overwrite), but ${stored}`;
  if (check === "property" || check === "properties")
    return `the schema has a check of a property, but ${validated}`;
  const inCode = check === "string_format" && typeof fn === "function" && pattern === undefined;
  return inCode ? `the schema has code (stringFormat), but ${validated}` : undefined;
}

/** The definition of a schema or a check of zod. Its values are not validated. */
type ZodDefinition = Readonly<Record<string, unknown>>;

function definitionOf(schemaOrCheck: unknown): ZodDefinition | undefined {
  if (!isObject(schemaOrCheck)) return undefined;
  const internals = Reflect.get(schemaOrCheck, "_zod");
  const definition = isObject(internals) ? Reflect.get(internals, "def") : undefined;
  return isRecord(definition) ? definition : undefined;
}

/** Returns true for an object or a function. Schemas of some versions of zod are functions. */
function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
