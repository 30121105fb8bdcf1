import { compileSchema, PatternError, type StructuralSchema, unrecognizedFormats } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";

/** Converts a number. Exclusive bounds are numbers in JSON Schema and flags in a structural schema. */
export function numberSchema(schema: JsonSchema, type: "integer" | "number"): StructuralSchema {
  return {
    type,
    ...formatOf(schema, type),
    ...lowerBound(schema),
    ...upperBound(schema),
    ...numberKeywords(schema, ["multipleOf"]),
  };
}

function lowerBound({ minimum, exclusiveMinimum: above }: JsonSchema): StructuralSchema {
  if (typeof above === "number" && !(typeof minimum === "number" && minimum > above)) {
    return { minimum: above, exclusiveMinimum: true };
  }
  return typeof minimum === "number" ? { minimum } : {};
}

function upperBound({ maximum, exclusiveMaximum: below }: JsonSchema): StructuralSchema {
  if (typeof below === "number" && !(typeof maximum === "number" && maximum < below)) {
    return { maximum: below, exclusiveMaximum: true };
  }
  return typeof maximum === "number" ? { maximum } : {};
}

export function stringSchema(schema: JsonSchema, place: Place): StructuralSchema {
  const format = formatOf(schema, "string");
  return {
    type: "string",
    ...format,
    ...patternOf(schema, format, place),
    ...numberKeywords(schema, ["minLength", "maxLength"]),
  };
}

/** Returns the format. Drops a format that the server does not check. */
function formatOf({ format }: JsonSchema, type: string): StructuralSchema {
  if (typeof format !== "string" || format === durationFormat) return {};
  return unrecognizedFormats({ type, format }).length === 0 ? { format } : {};
}

/** The format whose meaning differs: `P1DT2H` in JSON Schema, `26h` in Kubernetes. */
const durationFormat = "duration";

/** Returns the pattern. Drops a pattern that the server cannot run if it checks the format instead. */
function patternOf({ pattern }: JsonSchema, { format }: StructuralSchema, place: Place): StructuralSchema {
  if (typeof pattern !== "string") return {};
  const source = pattern.replaceAll(/\\u([\dA-Fa-f]{4})/g, "\\x{$1}");
  const fault = patternFault(source);
  if (fault === undefined) return { pattern: source };
  return format === undefined
    ? refuse(place, `an API server cannot run the pattern ${pattern}: ${fault}`)
    : {};
}

function patternFault(pattern: string): string | undefined {
  try {
    compileSchema({ type: "string", pattern });
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** Returns the given keywords whose values are numbers. */
export function numberKeywords(schema: JsonSchema, keywords: readonly string[]): StructuralSchema {
  const given = keywords.map((keyword) => [keyword, schema[keyword]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === "number"));
}
