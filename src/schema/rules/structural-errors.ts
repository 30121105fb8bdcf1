import { type CrdSchema, childrenOf, isBlank, itemListOf } from "../structure/crd-schema.ts";
import { isTooDeep, maxSchemaDepth } from "../structure/schema-depth.ts";
import { errorText, type FieldError, forbidden, invalid } from "../values/field-error.ts";
import { isObject } from "../values/json-value.ts";
import { completenessErrors } from "./completeness-errors.ts";
import { type DefaultErrorsOptions, defaultErrors } from "./default-errors.ts";
import { nodeErrors } from "./node-errors.ts";
import { openApiErrors } from "./openapi-errors.ts";

export interface StructuralErrorsOptions extends DefaultErrorsOptions {
  /** True if the version has a status subresource, which allows fewer keywords at the root. @default false */
  readonly status?: boolean | undefined;
}

/**
 * Returns the errors for which kube-apiserver refuses a schema in a CustomResourceDefinition, or an empty list.
 *
 * Does not check the CEL expressions of rules. `path` is the path of the schema: `spec.validation.openAPIV3Schema` for
 * a single version or a schema shared by all versions, otherwise `spec.versions[0].schema.openAPIV3Schema`.
 */
export function structuralErrors(
  schema: CrdSchema,
  path: string,
  options: StructuralErrorsOptions = {},
): FieldError[] {
  if (isTooDeep(schema)) return [forbidden(path, `must not be nested deeper than ${maxSchemaDepth}`)];
  const errors = options.status ? [...statusErrors(schema, path)] : [];
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const unsupported = hasUnsupportedKeywords(schema);
  if (!unsupported) errors.push(...structureErrors(schema, path, options));
  errors.push(...openApiErrors(schema, { path, root: true, insideMeta: false, noDefaults: "" }));
  if (unsupported && errors.length === 0)
    errors.push(invalid(path, "", "OpenAPIV3Schema 'schema' is not supported"));
  return errors;
}

/** Checks that the schema is structural, and only then its defaults. */
function structureErrors(schema: CrdSchema, path: string, options: DefaultErrorsOptions): FieldError[] {
  const errors = [...nodeErrors(schema, { path, level: "root" }), ...completenessErrors(schema, path)];
  return errors.length > 0 ? errors.sort(byText) : defaultErrors(schema, path, options);
}

function byText(one: FieldError, other: FieldError): number {
  return errorText(one) < errorText(other) ? -1 : 1;
}

/**
 * Returns true if a schema has keywords that a structural schema cannot have. Each of them is also refused on its own,
 * except `$schema`.
 */
function hasUnsupportedKeywords(schema: CrdSchema): boolean {
  const { additionalItems, "x-kubernetes-preserve-unknown-fields": preserves } = schema;
  if (unsupportedKeywords.some((name) => !isUnset(schema[name]))) return true;
  if (additionalItems !== undefined || preserves === false || itemListOf(schema).length > 0) return true;
  return childrenOf(schema).some(hasUnsupportedKeywords);
}

const unsupportedKeywords = [
  "id",
  "$schema",
  "$ref",
  "patternProperties",
  "dependencies",
  "definitions",
] as const satisfies ReadonlyArray<keyof CrdSchema>;

function isUnset(part: unknown): boolean {
  return isBlank(part) || (isObject(part) && Object.keys(part).length === 0);
}

/** With a status subresource the schema of `status` is used alone, so keywords at the root must not apply to it. */
function* statusErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const { type = "" } = schema;
  if (type !== "" && type !== "object") yield invalid(`${path}.type`, type, onlyObject);
  else if (Object.entries(schema).some(([name, part]) => !allowedWithStatus.has(name) && !isBlank(part)))
    yield invalid(path, schema, onlyAllowed);
}

const onlyObject =
  'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';

/** Keywords that are allowed at the root, with their names in the message. */
const allowedWithStatus: ReadonlyMap<string, string> = new Map([
  ["description", "Description"],
  ["type", "Type"],
  ["format", "Format"],
  ["title", "Title"],
  ["maximum", "Maximum"],
  ["exclusiveMaximum", "ExclusiveMaximum"],
  ["minimum", "Minimum"],
  ["exclusiveMinimum", "ExclusiveMinimum"],
  ["maxLength", "MaxLength"],
  ["minLength", "MinLength"],
  ["pattern", "Pattern"],
  ["maxItems", "MaxItems"],
  ["minItems", "MinItems"],
  ["uniqueItems", "UniqueItems"],
  ["multipleOf", "MultipleOf"],
  ["required", "Required"],
  ["items", "Items"],
  ["properties", "Properties"],
  ["externalDocs", "ExternalDocs"],
  ["example", "Example"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
]);

const onlyAllowed =
  `only [${[...allowedWithStatus.values()].join(" ")}] fields are allowed at the root of the schema ` +
  "if the status subresource is enabled";
