import { completenessErrors } from "./completeness-rules.ts";
import { type CrdSchema, childrenOf, isBlank, itemListOf } from "./crd-schema.ts";
import { type DefaultErrorsOptions, defaultErrors } from "./default-errors.ts";
import { errorText, type FieldError, forbidden, invalid } from "./field-error.ts";
import { isObject } from "./json-value.ts";
import { nodeErrors } from "./node-rules.ts";
import { openApiErrors } from "./openapi-rules.ts";
import { deepestSchema, isTooDeep } from "./schema-depth.ts";

export interface StructuralErrorsOptions extends DefaultErrorsOptions {
  /** Whether the version has a status subresource, which leaves less to say at the root. @default false */
  readonly status?: boolean | undefined;
}

/**
 * What keeps a schema out of a CustomResourceDefinition, as kube-apiserver tells it; nothing if it may be served.
 *
 * The expressions of rules are not looked at. `path` is where the schema stands: of the only version, or where all
 * versions share one, `spec.validation.openAPIV3Schema`; otherwise `spec.versions[0].schema.openAPIV3Schema`.
 */
export function structuralErrors(
  schema: CrdSchema,
  path: string,
  options: StructuralErrorsOptions = {},
): FieldError[] {
  if (isTooDeep(schema)) return [forbidden(path, `must not be nested deeper than ${deepestSchema}`)];
  const errors = options.status ? [...statusErrors(schema, path)] : [];
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const foreign = hasForeignKeywords(schema);
  if (!foreign) errors.push(...structureErrors(schema, path, options));
  errors.push(...openApiErrors(schema, { path, root: true, insideMeta: false, noDefaults: "" }));
  if (foreign && errors.length === 0)
    errors.push(invalid(path, "", "OpenAPIV3Schema 'schema' is not supported"));
  return errors;
}

/** Defaults are only looked at in a schema that is structural. */
function structureErrors(schema: CrdSchema, path: string, options: DefaultErrorsOptions): FieldError[] {
  const errors = [...nodeErrors(schema, { path, level: "root" }), ...completenessErrors(schema, path)];
  return errors.length > 0 ? errors.sort(byText) : defaultErrors(schema, path, options);
}

function byText(one: FieldError, other: FieldError): number {
  return errorText(one) < errorText(other) ? -1 : 1;
}

/**
 * Whether a schema cannot be read as a structural one at all. All of these are refused one by one too, apart from
 * `$schema`.
 */
function hasForeignKeywords(schema: CrdSchema): boolean {
  const { additionalItems, "x-kubernetes-preserve-unknown-fields": preserves } = schema;
  if (foreignKeywords.some((name) => !isNothing(schema[name]))) return true;
  if (additionalItems !== undefined || preserves === false || itemListOf(schema).length > 0) return true;
  return childrenOf(schema).some(hasForeignKeywords);
}

const foreignKeywords = [
  "id",
  "$schema",
  "$ref",
  "patternProperties",
  "dependencies",
  "definitions",
] as const satisfies ReadonlyArray<keyof CrdSchema>;

function isNothing(part: unknown): boolean {
  return isBlank(part) || (isObject(part) && Object.keys(part).length === 0);
}

/** With a status subresource the schema of `status` is used alone, so nothing at the root may reach into it. */
function* statusErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  const { type = "" } = schema;
  if (type !== "" && type !== "object") yield invalid(`${path}.type`, type, onlyObject);
  else if (Object.entries(schema).some(([name, part]) => !allowedWithStatus.has(name) && !isBlank(part)))
    yield invalid(path, schema, onlyAllowed);
}

const onlyObject =
  'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';

/** As they are called in a schema, and in the message. */
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
