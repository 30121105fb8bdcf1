import { jsonTypeName } from "../../schema/index.ts";
import { WebhookCallError } from "../webhooks/call-error.ts";

/** A type of Go, with the name that errors of its JSON decoder show. */
export type GoType =
  | { readonly type: "bool" | "string" | "int32"; readonly name: string }
  | { readonly type: "list" | "map"; readonly name: string; readonly items: GoType }
  | { readonly type: "struct"; readonly name: string; readonly fields: GoFields };

export type GoFields = Readonly<Record<string, GoType>>;

/** A field of a struct, as errors name it. */
export interface GoField {
  /** The name of the innermost struct. */
  readonly struct: string;
  /** The names of the fields from the top, with dots between them. */
  readonly path: string;
}

/**
 * Returns a JSON value as Go decodes it: without unknown fields and fields that are null. Throws a `WebhookCallError`
 * with Go's message for the first value of another type.
 */
export function decodeGo(value: unknown, type: GoType, field: GoField): unknown {
  if (value === null) return emptyOf(type);
  if (jsonTypeName(value) !== jsonTypes[type.type]) throw wrongType(jsonTypeName(value), type, field);
  switch (type.type) {
    case "list":
      return (value as unknown[]).map((item) => decodeGo(item, type.items, field)); // checked above
    case "map":
      return mapped(value as object, (name, one) => [name, decodeGo(one, type.items, field)]);
    case "struct":
      return decodeStruct(value as object, type, field); // checked above
    case "int32":
      if (isInt32(value)) return value;
      throw wrongType(`number ${String(value)}`, type, field);
    default:
      return value;
  }
}

const jsonTypes = {
  bool: "bool",
  string: "string",
  int32: "number",
  list: "array",
  map: "object",
  struct: "object",
} as const;

function decodeStruct(
  value: object,
  { name: type, fields }: Extract<GoType, { type: "struct" }>,
  { path }: GoField,
): object {
  const struct = type.slice(type.indexOf(".") + 1);
  return mapped(value, (name, one) => {
    const known = Object.hasOwn(fields, name) && fields[name];
    if (!known || one === null) return undefined;
    return [name, decodeGo(one, known, { struct, path: `${path}.${name}` })];
  });
}

function mapped(
  value: object,
  entry: (name: string, value: unknown) => readonly [string, unknown] | undefined,
): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const kept = entry(name, one);
      return kept ? [kept] : [];
    }),
  );
}

/** Returns the value of Go for null. */
function emptyOf({ type }: GoType): unknown {
  return { bool: false, string: "", int32: 0, list: [], map: {}, struct: {} }[type];
}

function isInt32(value: unknown): boolean {
  return value === Math.trunc(Number(value)) && Math.abs(Number(value)) < 2 ** 31;
}

function wrongType(found: string, { name }: GoType, { struct, path }: GoField): WebhookCallError {
  return new WebhookCallError(
    `json: cannot unmarshal ${found} into Go struct field ${struct}.${path} of type ${name}`,
  );
}
