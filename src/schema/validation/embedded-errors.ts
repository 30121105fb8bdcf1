import type { CompiledSchema } from "../structure/compiled-schema.ts";
import { type FieldError, invalid, required } from "../values/field-error.ts";
import { fieldOf, isArray, isObject, type JsonObject } from "../values/json-value.ts";

export interface EmbeddedErrorsOptions {
  /** The path of the value in its object. @default "" (the value is the object) */
  readonly path?: string | undefined;
  /** Validates the metadata at a path by the rules for all objects. @default no validation */
  readonly metadata?: ((metadata: unknown, path: string) => readonly FieldError[]) | undefined;
}

/**
 * Returns the errors of the resources that are embedded in a value: each needs a valid apiVersion and kind. Does not
 * check whether that kind exists.
 */
export function embeddedErrors(
  value: unknown,
  schema: CompiledSchema,
  options: EmbeddedErrorsOptions = {},
): FieldError[] {
  const { path = "", metadata = () => [] } = options;
  return [...errorsIn(value, { schema, path, metadata })];
}

interface Place {
  readonly schema: CompiledSchema;
  readonly path: string;
  readonly metadata: NonNullable<EmbeddedErrorsOptions["metadata"]>;
}

function* errorsIn(value: unknown, place: Place): Iterable<FieldError> {
  if (!place.schema.hasEmbeddedResources) return;
  if (isArray(value)) yield* errorsInList(value, place);
  if (isObject(value)) yield* errorsInObject(value, place);
}

function* errorsInList(value: readonly unknown[], place: Place): Iterable<FieldError> {
  const { items } = place.schema;
  if (!items) return;
  for (const [index, element] of value.entries()) {
    yield* errorsIn(element, { ...place, schema: items, path: `${place.path}[${index}]` });
  }
}

function* errorsInObject(value: JsonObject, place: Place): Iterable<FieldError> {
  const { properties, values, embeddedResource } = place.schema;
  if (embeddedResource) yield* resourceErrors(value, place);
  for (const key of Object.keys(value)) {
    const declared = properties.get(key);
    if (declared) yield* errorsIn(value[key], { ...place, schema: declared, path: at(place.path, key) });
    else if (values) yield* errorsIn(value[key], { ...place, schema: values, path: `${place.path}[${key}]` });
  }
}

function at(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function* resourceErrors(value: JsonObject, { path, metadata }: Place): Iterable<FieldError> {
  yield* textErrors(fieldOf(value, "apiVersion"), at(path, "apiVersion"), apiVersionProblem);
  yield* textErrors(fieldOf(value, "kind"), at(path, "kind"), kindProblem);
  const found = fieldOf(value, "metadata");
  if (found !== undefined) yield* metadata(found, at(path, "metadata"));
}

function* textErrors(
  value: unknown,
  path: string,
  problemOf: (text: string) => string | undefined,
): Iterable<FieldError> {
  if (value === undefined) yield required(path);
  else if (typeof value !== "string") yield invalid(path, value, "must be a string");
  else if (value === "") yield invalid(path, value, "must not be empty");
  else {
    const problem = problemOf(value);
    if (problem !== undefined) yield invalid(path, value, problem);
  }
}

function apiVersionProblem(text: string): string | undefined {
  return text.split("/").length > 2 ? `unexpected GroupVersion string: ${text}` : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = [];
  if (text.length > 63) problems.push("must be no more than 63 characters");
  if (!/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/i.test(text)) problems.push(labelRule);
  if (problems.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";
