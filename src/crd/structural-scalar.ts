import { compileSchema, PatternError, type StructuralSchema, unrecognizedFormats } from "../schema/index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type Place, refuse } from "./place.ts";

/** Bounds that are out of reach are numbers of their own in JSON Schema, and marks on the bounds at an API server. */
export function numberSchema(schema: JsonSchema, type: "integer" | "number"): StructuralSchema {
  return {
    type,
    ...formatOf(schema, type),
    ...lowerBound(schema),
    ...upperBound(schema),
    ...numbers(schema, ["multipleOf"]),
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
    ...numbers(schema, ["minLength", "maxLength"]),
  };
}

/** A format that the server does not check says nothing there, and is left out. */
function formatOf({ format }: JsonSchema, type: string): StructuralSchema {
  if (typeof format !== "string" || format === otherDuration) return {};
  return unrecognizedFormats({ type, format }).length === 0 ? { format } : {};
}

/** To JSON Schema it is `P1DT2H`, to an API server `26h`. */
const otherDuration = "duration";

/** A format that the server checks stands for a pattern that it cannot run. */
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

/** Those of the words that are numbers. */
export function numbers(schema: JsonSchema, words: readonly string[]): StructuralSchema {
  const given = words.map((word) => [word, schema[word]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === "number"));
}
