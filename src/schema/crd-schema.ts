import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A schema as somebody may write it into a CustomResourceDefinition: a structural one, or not. The JSON types of
 * its parts are right, since the definition was decoded; everything else is for `structuralErrors` to find.
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

  /** What JSON Schema has and Kubernetes refuses. */
  readonly id?: string | undefined;
  readonly $schema?: string | undefined;
  readonly $ref?: string | undefined;
  readonly definitions?: Readonly<Record<string, CrdSchema>> | undefined;
  readonly dependencies?: Readonly<Record<string, CrdSchema | readonly string[]>> | undefined;
  readonly patternProperties?: Readonly<Record<string, CrdSchema>> | undefined;
  readonly additionalItems?: boolean | CrdSchema | undefined;
}

/** A rule as somebody may write it. */
export interface CrdRule {
  readonly rule?: string | undefined;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}

/** The schemas of the declared fields, in their order. */
export function propertiesOf(schema: CrdSchema): Array<[string, CrdSchema]> {
  return Object.entries(schema.properties ?? {});
}

/** The schema of a declared field, if it is one. */
export function propertyOf(schema: CrdSchema, name: string): CrdSchema | undefined {
  const { properties } = schema;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the values of a map, if they have one. */
export function valuesOf({ additionalProperties }: CrdSchema): CrdSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The schema of the elements of a list, if they all have the same. */
export function itemsOf({ items }: CrdSchema): CrdSchema | undefined {
  return isList(items) ? undefined : items;
}

/** The schemas of the elements of a list, if each has its own. */
export function itemListOf({ items }: CrdSchema): readonly CrdSchema[] {
  return isList(items) ? items : [];
}

function isList(items: CrdSchema["items"]): items is readonly CrdSchema[] {
  return Array.isArray(items);
}

/** The schemas that only restrict values, each with the step that leads to it. */
export function* alternativesOf({ anyOf, allOf, oneOf, not }: CrdSchema): Iterable<[string, CrdSchema]> {
  for (const [word, schemas] of [
    ["anyOf", anyOf] as const,
    ["allOf", allOf] as const,
    ["oneOf", oneOf] as const,
  ]) {
    for (const [index, schema] of (schemas ?? []).entries()) yield [`${word}[${index}]`, schema];
  }
  if (not) yield ["not", not];
}

/** All schemas directly inside one, apart from those that Kubernetes refuses. */
export function childrenOf(schema: CrdSchema): CrdSchema[] {
  const named = [...propertiesOf(schema), ...alternativesOf(schema)].map(([, child]) => child);
  return [...named, itemsOf(schema), valuesOf(schema)].filter((child) => child !== undefined);
}

/** Whether there is a default. A `null` is none. */
export function hasDefault(schema: CrdSchema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** Whether a part of a schema says nothing: Go takes absent, null, false and empty for the same. */
export function isBlank(part: unknown): boolean {
  return part === undefined || part === null || part === false || part === "" || isEmptyList(part);
}

function isEmptyList(part: unknown): boolean {
  return Array.isArray(part) && part.length === 0;
}
