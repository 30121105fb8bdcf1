import {
  type CrdSchema,
  hasDefault,
  itemListOf,
  itemsOf,
  propertiesOf,
  valuesOf,
} from "../structure/crd-schema.ts";
import { type FieldError, forbidden, invalid, notSupported } from "../values/field-error.ts";
import { listTypeErrors } from "./list-type-errors.ts";
import { ruleErrors } from "./rule-errors.ts";

export interface OpenApiPlace {
  readonly path: string;
  readonly root: boolean;
  /** True inside apiVersion, kind or metadata of the object or of an embedded resource. */
  readonly insideMeta: boolean;
  /** The reason why defaults are forbidden here, or `""` if they are allowed. */
  readonly noDefaults: string;
}

/**
 * Yields the OpenAPI keywords that Kubernetes refuses, and the errors of its extensions, at this node and at all nodes
 * below.
 */
export function* openApiErrors(schema: CrdSchema, place: OpenApiPlace): Iterable<FieldError> {
  yield* keywordErrors(schema, place);
  yield* mapErrors(schema, place);
  yield* propertyErrors(schema, place);
  yield* restrictionErrors(schema, place);
  yield* itemErrors(schema, place);
  const { path } = place;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    yield invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined");
  yield* listTypeErrors(schema, path);
  yield* ruleErrors(schema, path);
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

function* keywordErrors(
  schema: CrdSchema,
  { path, insideMeta, noDefaults }: OpenApiPlace,
): Iterable<FieldError> {
  const { type = "" } = schema;
  if (type !== "" && !types.includes(type)) yield notSupported(`${path}.type`, type, types);
  if (hasDefault(schema) && noDefaults !== "")
    yield forbidden(`${path}.default`, `must not be set ${noDefaults}`);
  for (const name of unsupportedKeywords(schema))
    yield forbidden(`${path}.${name}`, `${name} is not supported`);
  if (type === "null")
    yield forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative");
  if (itemListOf(schema).length > 0)
    yield forbidden(`${path}.items`, "items must be a schema object and not an array");
  if (insideMeta && schema["x-kubernetes-embedded-resource"])
    yield forbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta");
  if (schema.uniqueItems) yield forbidden(`${path}.uniqueItems`, quadratic);
}

const quadratic = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";

/** Returns the unsupported keywords in use. `$schema` is not included, because it is refused for the whole schema. */
function unsupportedKeywords(schema: CrdSchema): string[] {
  const { id, additionalItems, patternProperties = {}, definitions = {}, dependencies, $ref } = schema;
  const used = {
    id: Boolean(id),
    additionalItems: additionalItems !== undefined,
    patternProperties: Object.keys(patternProperties).length > 0,
    definitions: Object.keys(definitions).length > 0,
    dependencies: dependencies !== undefined,
    $ref: $ref !== undefined,
  };
  return Object.entries(used).flatMap(([name, is]) => (is ? [name] : []));
}

function* mapErrors(schema: CrdSchema, place: OpenApiPlace): Iterable<FieldError> {
  const path = `${place.path}.additionalProperties`;
  const { additionalProperties } = schema;
  const declares = propertiesOf(schema).length > 0;
  if (declares && additionalProperties !== undefined && additionalProperties !== true)
    yield forbidden(path, "additionalProperties and properties are mutual exclusive");
  const values = valuesOf(schema);
  const noDefaults = place.insideMeta
    ? "inside additionalProperties applying to object metadata"
    : place.noDefaults;
  if (values) yield* openApiErrors(values, { ...place, path, root: false, noDefaults });
}

function* propertyErrors(schema: CrdSchema, place: OpenApiPlace): Iterable<FieldError> {
  const resource = place.root || schema["x-kubernetes-embedded-resource"];
  for (const [name, property] of propertiesOf(schema)) {
    const path = `${place.path}.properties[${name}]`;
    const meta = resource && metaFields.has(name);
    const noDefaults = meta && place.root ? `in top-level ${name}` : place.noDefaults;
    yield* openApiErrors(property, {
      path,
      root: false,
      insideMeta: meta || place.insideMeta,
      noDefaults,
    });
  }
}

const metaFields: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

function* restrictionErrors(schema: CrdSchema, place: OpenApiPlace): Iterable<FieldError> {
  const { not, allOf = [], oneOf = [], anyOf = [], definitions = {}, dependencies = {} } = schema;
  if (not) yield* openApiErrors(not, inside(place, "not"));
  for (const [keyword, schemas] of Object.entries({ allOf, oneOf, anyOf })) {
    for (const [index, nested] of schemas.entries())
      yield* openApiErrors(nested, inside(place, `${keyword}[${index}]`));
  }
  for (const [name, nested] of Object.entries(definitions)) {
    yield* openApiErrors(nested, inside(place, `definitions[${name}]`));
  }
  for (const [name, nested] of Object.entries(dependencies)) {
    if (isSchema(nested)) yield* openApiErrors(nested, inside(place, `dependencies[${name}]`));
  }
}

function isSchema(dependency: CrdSchema | readonly string[]): dependency is CrdSchema {
  return !Array.isArray(dependency);
}

function* itemErrors(schema: CrdSchema, place: OpenApiPlace): Iterable<FieldError> {
  const items = itemsOf(schema);
  if (items) yield* openApiErrors(items, inside(place, "items"));
  for (const [index, item] of itemListOf(schema).entries()) {
    yield* openApiErrors(item, inside(place, `items[${index}]`));
  }
}

function inside(place: OpenApiPlace, step: string): OpenApiPlace {
  return { ...place, root: false, path: `${place.path}.${step}` };
}
