/** One OpenAPI v3 schema, as far as Kubernetes uses it. */
export interface Schema {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  format?: string;
  $ref?: string;
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  default?: unknown;
  /** Not copied. A default that only the description states is read from it. */
  description?: string;
  enum?: readonly string[];
  nullable?: boolean;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  /** Facts of a field from its Go struct, as `addGoFields` sets them. */
  go?: string;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  "x-kubernetes-group-version-kind"?: GroupVersionKind[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: readonly string[];
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-patch-strategy"?: string;
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-unions"?: readonly unknown[];
  "x-kubernetes-preserve-unknown-fields"?: boolean;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the name of the referenced schema: by `$ref`, or by `allOf` of one `$ref` with a default. */
export function refOf(schema: Schema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice(ref.lastIndexOf("/") + 1);
}

/** The schema of a map's values. */
export function valuesOf(schema: Schema): Schema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** The schema of the elements of a list or map, at any depth, or the schema itself. */
export function innermost(schema: Schema): Schema {
  const inner = schema.items ?? valuesOf(schema);
  return inner ? innermost(inner) : schema;
}
