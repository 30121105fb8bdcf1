import { DecodeError } from "./decode-run.ts";
import { decodeTyped } from "./decode-typed.ts";
import { isArray, isObject, type JsonObject, typeOf } from "./json-value.ts";
import type { TypedSchema } from "./typed-schema.ts";

/**
 * What kube-apiserver says of a value that does not fit the Go type of a built-in kind where it has the value as a map
 * and not as text, which is so after a strategic patch: it names types, and no field. Nothing where the value fits.
 */
export function conversionFault(value: unknown, type: TypedSchema): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (type.shape) {
    case "struct":
      return isObject(value) ? structFault(value, type) : `cannot restore struct from: ${goKind(value)}`;
    case "map":
      return isObject(value) ? membersFault(value, type) : `cannot restore map from ${goKind(value)}`;
    case "list":
      return isArray(value) ? membersFault(value, type) : `cannot restore slice from ${goKind(value)}`;
    case "bytes":
      return isBytes(value) ? ownFault(value, type) : `cannot restore slice from ${goKind(value)}`;
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return simpleFault(value, type);
    default:
      return ownFault(value, type);
  }
}

/** Bytes come as text; a list of them is left to be read. */
function isBytes(value: unknown): boolean {
  return typeof value === "string" || isArray(value);
}

function structFault(value: JsonObject, { fields }: TypedSchema): string | undefined {
  for (const [name, field] of fields) {
    const fault = Object.hasOwn(value, name) ? conversionFault(value[name], field.type) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function membersFault(value: JsonObject | readonly unknown[], { element }: TypedSchema): string | undefined {
  for (const member of element ? Object.values(value) : []) {
    const fault = element && conversionFault(member, element);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Go converts between numbers, and would make a letter of an integer: it refuses that in words of its own. */
function simpleFault(value: unknown, { shape, goType }: TypedSchema): string | undefined {
  const kind = goKind(value);
  if (fitting[shape]?.includes(kind)) return undefined;
  const convertible = (shape === "string" && kind === "int64") || (shape === "integer" && kind === "float64");
  return convertible ? `cannot convert ${kind} to ${goType}` : `unrecognized type: ${goType}`;
}

const fitting: Readonly<Record<string, readonly string[] | undefined>> = {
  string: ["string"],
  boolean: ["bool"],
  integer: ["int64"],
  number: ["int64", "float64"],
};

/** Types that decode themselves are handed the value as text. */
function ownFault(value: unknown, type: TypedSchema): string | undefined {
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
