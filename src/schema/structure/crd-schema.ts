import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A schema from a CustomResourceDefinition, structural or not. Its JSON types are valid, because the definition has
 * been decoded. `structuralErrors` finds all other errors.
 */
export interface CrdSchema
  extends Omit<
    StructuralSchema,
    | "type"
    | "properties"
    | "additionalProperties"
    | "items"
    | "allOf"
    | "anyOf"
    | "oneOf"
    | "not"
    | "x-kubernetes-preserve-unknown-fields"
    | "x-kubernetes-list-type"
    | "x-kubernetes-map-type"
    | "x-kubernetes-validations"
  > {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, CrdSchema>> | undefined;
  readonly additionalProperties?: boolean | CrdSchema | undefined;
  readonly items?: CrdSchema | readonly CrdSchema[] | undefined;
  readonly allOf?: readonly CrdSchema[] | undefined;
  readonly anyOf?: readonly CrdSchema[] | undefined;
  readonly oneOf?: readonly CrdSchema[] | undefined;
  readonly not?: CrdSchema | undefined;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
  readonly "x-kubernetes-list-type"?: string | undefined;
  readonly "x-kubernetes-map-type"?: string | undefined;
  readonly "x-kubernetes-validations"?: readonly CrdRule[] | undefined;

  /** JSON Schema keywords that Kubernetes refuses. */
  readonly id?: string | undefined;
  readonly $schema?: string | undefined;
  readonly $ref?: string | undefined;
  readonly definitions?: Readonly<Record<string, CrdSchema>> | undefined;
  readonly dependencies?: Readonly<Record<string, CrdSchema | readonly string[]>> | undefined;
  readonly patternProperties?: Readonly<Record<string, CrdSchema>> | undefined;
  readonly additionalItems?: boolean | CrdSchema | undefined;
}

/** A validation rule from a CustomResourceDefinition, not yet validated. */
export interface CrdRule {
  readonly rule?: string | undefined;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}

/** Returns the schemas of the declared fields, in order. */
export function propertiesOf(schema: CrdSchema): Array<[string, CrdSchema]> {
  return Object.entries(schema.properties ?? {});
}

/** Returns the schema of a declared field, or `undefined`. */
export function propertyOf(schema: CrdSchema, name: string): CrdSchema | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the schema of the values of a map, or `undefined`. */
export function valuesOf({ additionalProperties }: CrdSchema): CrdSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Returns the schema of the elements of a list, or `undefined` if there is not exactly one. */
export function itemsOf({ items }: CrdSchema): CrdSchema | undefined {
  return isList(items) ? undefined : items;
}

/** Returns the schemas of the elements of a list if `items` is a list of schemas, otherwise an empty list. */
export function itemListOf({ items }: CrdSchema): readonly CrdSchema[] {
  return isList(items) ? items : [];
}

function isList(items: CrdSchema["items"]): items is readonly CrdSchema[] {
  return Array.isArray(items);
}

/** Yields the schemas that only restrict values, each with its path step. */
export function* alternativesOf({ anyOf, allOf, oneOf, not }: CrdSchema): Iterable<[string, CrdSchema]> {
  for (const [keyword, schemas] of [
    ["anyOf", anyOf] as const,
    ["allOf", allOf] as const,
    ["oneOf", oneOf] as const,
  ]) {
    for (const [index, schema] of (schemas ?? []).entries()) yield [`${keyword}[${index}]`, schema];
  }
  if (not) yield ["not", not];
}

/** Returns all schemas directly inside one, except those under keywords that Kubernetes refuses. */
export function childrenOf(schema: CrdSchema): CrdSchema[] {
  const named = [...propertiesOf(schema), ...alternativesOf(schema)].map(([, child]) => child);
  return [...named, itemsOf(schema), valuesOf(schema)].filter((child) => child !== undefined);
}

/** Returns true if there is a default. `null` is not a default. */
export function hasDefault(schema: CrdSchema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** Returns true for a keyword without effect: Go treats absent, null, false and empty as the same. */
export function isBlank(part: unknown): boolean {
  return part === undefined || part === null || part === false || part === "" || isEmptyList(part);
}

function isEmptyList(part: unknown): boolean {
  return Array.isArray(part) && part.length === 0;
}
