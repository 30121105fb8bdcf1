import {
  alternativesOf,
  type CrdSchema,
  hasDefault,
  isBlank,
  itemsOf,
  propertiesOf,
} from "../structure/crd-schema.ts";
import { compilePattern, PatternError } from "../structure/pattern.ts";
import { type FieldError, forbidden, invalid } from "../values/field-error.ts";

/**
 * Yields the errors of `allOf`, `anyOf`, `oneOf` and `not`, which may only restrict values, and the errors of patterns.
 */
export function* nestedErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  for (const [step, nested] of alternativesOf(schema)) {
    const exempt = isIntOrString(schema) && step.startsWith("anyOf");
    if (!exempt) yield* restrictionErrors(nested, `${path}.${step}`, firstOfIntOrString(schema, step));
  }
  yield* patternErrors(schema, path);
}

/**
 * Returns true for `anyOf: [{type: integer}, {type: string}]`. This is the one restriction that may have types: on the
 * schema itself, or in its first `allOf`.
 */
function isIntOrString({ anyOf = [] }: CrdSchema): boolean {
  const [first, second] = anyOf;
  return anyOf.length === 2 && isOnlyType(first, "integer") && isOnlyType(second, "string");
}

function isOnlyType(schema: CrdSchema | undefined, type: string): boolean {
  return (
    schema?.type === type && Object.entries(schema).every(([name, part]) => name === "type" || isBlank(part))
  );
}

function firstOfIntOrString({ allOf = [] }: CrdSchema, step: string): boolean {
  return step === "allOf[0]" && allOf[0] !== undefined && isIntOrString(allOf[0]);
}

function* patternErrors({ pattern }: CrdSchema, path: string): Iterable<FieldError> {
  if (!pattern) return;
  try {
    compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const detail = `must be a valid regular expression, but isn't: ${error.message}`;
    yield invalid(`${path}.pattern`, pattern, detail);
  }
}

function* restrictionErrors(schema: CrdSchema, path: string, skipAnyOf: boolean): Iterable<FieldError> {
  for (const [step, nested] of alternativesOf(schema)) {
    if (!(skipAnyOf && step.startsWith("anyOf"))) yield* restrictionErrors(nested, `${path}.${step}`, false);
  }
  yield* patternErrors(schema, path);
  const items = itemsOf(schema);
  if (items) yield* restrictionErrors(items, `${path}.items`, false);
  for (const [name, property] of propertiesOf(schema)) {
    yield* restrictionErrors(property, `${path}.properties[${name}]`, false);
  }
  yield* structureErrors(schema, path);
}

/** Refuses keywords that declare fields, which a restriction must not do. */
function* structureErrors(schema: CrdSchema, path: string): Iterable<FieldError> {
  for (const [name, detail] of structure) {
    if (name === "default" ? hasDefault(schema) : !isBlank(schema[name]))
      yield forbidden(`${path}.${name}`, `must be ${detail} to be structural`);
  }
  if (propertiesOf(schema).some(([name]) => name === "metadata"))
    yield forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context");
}

const structure = [
  ["type", "empty"],
  ["additionalProperties", "undefined"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
] as const satisfies ReadonlyArray<readonly [keyof CrdSchema, string]>;
