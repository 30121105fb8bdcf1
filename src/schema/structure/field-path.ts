import { type CrdSchema, propertiesOf, propertyOf, valuesOf } from "./crd-schema.ts";

/** The target of a JSON path in a schema. */
export interface ResolvedPath {
  /** The path in the notation of field errors: `spec.names[key]`. */
  readonly path: string;
  /** The first step of the path. */
  readonly root: string;
  readonly schema: CrdSchema | undefined;
}

/** Thrown for a JSON path that leads nowhere. The message is kube-apiserver's. */
export class FieldPathError extends Error {
  override readonly name = "FieldPathError";
}

export interface FieldPathOptions {
  /** True to allow steps in the form `['name']`. @default true */
  readonly brackets?: boolean | undefined;
}

/**
 * Resolves a JSON path of fields and keys (`.spec.names['a.b']`) in a schema. Does not support lists.
 *
 * @throws {FieldPathError} if the string is not such a path, or the schema has no such field
 */
export function resolveFieldPath(
  text: string,
  schema: CrdSchema,
  options: FieldPathOptions = {},
): ResolvedPath {
  let found: ResolvedPath = { path: "", root: "", schema };
  const tokens = tokensOf(text)[Symbol.iterator]();
  for (let token = tokens.next(); !token.done; token = tokens.next()) {
    found = step(found, nameAfter(token.value, tokens, options));
  }
  return found;
}

/** Splits a path into the delimiters `.`, `[` and `]`, quoted names with their quotes, and the text between. */
function tokensOf(text: string): string[] {
  return text.match(/[.[\]]|'(?:[^'\\]|\\.)*(?:'|$)|[^.[\]]+/gs) ?? [];
}

function nameAfter(
  delimiter: string,
  tokens: Iterator<string>,
  { brackets = true }: FieldPathOptions,
): string {
  if (delimiter === ".") return next(tokens);
  if (delimiter !== "[") throw new FieldPathError(`expected [ or . but got: ${delimiter}`);
  if (!brackets) throw new FieldPathError("array notation is not allowed");
  const quoted = next(tokens);
  if (!/^'.*'$/s.test(quoted)) throw new FieldPathError(`expected single quoted string but got ${quoted}`);
  const closing = next(tokens);
  if (closing !== "]") throw new FieldPathError(`expected ] but got ${closing}`);
  return quoted.slice(1, -1).replace(/\\(['\\])/g, "$1");
}

function next(tokens: Iterator<string>): string {
  const token = tokens.next();
  if (token.done) throw new FieldPathError("unexpected end of JSON path");
  return token.value;
}

function step({ path, root, schema }: ResolvedPath, name: string): ResolvedPath {
  if (!schema) throw new FieldPathError("does not refer to a valid field");
  if (propertiesOf(schema).length > 0) {
    const property = propertyOf(schema, name);
    if (!property) throw new FieldPathError("does not refer to a valid field");
    return { path: path === "" ? name : `${path}.${name}`, root: root || name, schema: property };
  }
  if (schema.additionalProperties === undefined) throw new FieldPathError("does not refer to a valid field");
  return { path: `${path}[${name}]`, root: root || `[${name}]`, schema: valuesOf(schema) };
}
