import type { TypedSchema } from "../structure/typed-schema.ts";
import { isArray, isObject, type JsonObject, typeOf } from "../values/json-value.ts";
import { DecodeError } from "./decode-run.ts";
import { decodeTyped } from "./decode-typed.ts";

/**
 * Returns kube-apiserver's message for a value that does not fit the Go type of a built-in kind, or `undefined` if it
 * fits.
 *
 * The message is the one kube-apiserver gives when it converts a map instead of decoding text, as it does after a
 * strategic merge patch. It names types but no field.
 */
export function conversionProblem(value: unknown, type: TypedSchema): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (type.shape) {
    case "struct":
      return isObject(value) ? structProblem(value, type) : `cannot restore struct from: ${goKind(value)}`;
    case "map":
      return isObject(value) ? membersProblem(value, type) : `cannot restore map from ${goKind(value)}`;
    case "list":
      return isArray(value) ? membersProblem(value, type) : `cannot restore slice from ${goKind(value)}`;
    case "bytes":
      return isBytes(value) ? decoderProblem(value, type) : `cannot restore slice from ${goKind(value)}`;
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return scalarProblem(value, type);
    default:
      return decoderProblem(value, type);
  }
}

/** Returns true for a string, or a list of byte values, which is left to the decoder. */
function isBytes(value: unknown): boolean {
  return typeof value === "string" || isArray(value);
}

function structProblem(value: JsonObject, { fields }: TypedSchema): string | undefined {
  for (const [name, field] of fields) {
    const problem = Object.hasOwn(value, name) ? conversionProblem(value[name], field.type) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function membersProblem(
  value: JsonObject | readonly unknown[],
  { element }: TypedSchema,
): string | undefined {
  for (const member of element ? Object.values(value) : []) {
    const problem = element && conversionProblem(member, element);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Checks a scalar. Go converts between numbers, but refuses to convert an integer to a string with a message of its
 * own.
 */
function scalarProblem(value: unknown, { shape, goType }: TypedSchema): string | undefined {
  const kind = goKind(value);
  if (fittingKinds[shape]?.includes(kind)) return undefined;
  const convertible = (shape === "string" && kind === "int64") || (shape === "integer" && kind === "float64");
  return convertible ? `cannot convert ${kind} to ${goType}` : `unrecognized type: ${goType}`;
}

const fittingKinds: Readonly<Record<string, readonly string[] | undefined>> = {
  string: ["string"],
  boolean: ["bool"],
  integer: ["int64"],
  number: ["int64", "float64"],
};

/** Checks a type with its own decoder, which receives the value as text. */
function decoderProblem(value: unknown, type: TypedSchema): string | undefined {
  try {
    decodeTyped(value, type);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function goKind(value: unknown): string {
  return goKinds[typeOf(value)] ?? "string";
}

const goKinds: Readonly<Record<string, string | undefined>> = {
  array: "slice",
  boolean: "bool",
  integer: "int64",
  number: "float64",
  object: "map",
};
