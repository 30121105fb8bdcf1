/**
 * The schema of a custom resource version, as it stands in a CustomResourceDefinition (`openAPIV3Schema`).
 *
 * Structural: types, properties and items say which fields there are, and everything inside `allOf`, `anyOf`, `oneOf`
 * and `not` only restricts values. `structuralErrors` tells whether a schema keeps to that; everything else here
 * expects one that does.
 */
export interface StructuralSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly externalDocs?: { readonly description?: string; readonly url?: string } | undefined;
  readonly example?: unknown;
  readonly format?: string | undefined;
  readonly nullable?: boolean | undefined;
  /** Set where a value is missing. Never `null`. */
  readonly default?: unknown;

  readonly properties?: Readonly<Record<string, StructuralSchema>> | undefined;
  /** What stands under every key of a map; `true` for anything. Excludes `properties`. */
  readonly additionalProperties?: boolean | StructuralSchema | undefined;
  readonly items?: StructuralSchema | undefined;
  readonly required?: readonly string[] | undefined;

  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  /** In characters, not bytes. */
  readonly minLength?: number | undefined;
  /** In characters, not bytes. */
  readonly maxLength?: number | undefined;
  /** A regular expression in the syntax of Go (RE2). */
  readonly pattern?: string | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Refused when true, since checking it is quadratic: a list of type `set` says the same. */
  readonly uniqueItems?: boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;

  readonly allOf?: readonly StructuralSchema[] | undefined;
  readonly anyOf?: readonly StructuralSchema[] | undefined;
  readonly oneOf?: readonly StructuralSchema[] | undefined;
  readonly not?: StructuralSchema | undefined;

  /** Undeclared fields of this object stay. Only `true` or absent. */
  readonly "x-kubernetes-preserve-unknown-fields"?: true | undefined;
  /** The value is a whole Kubernetes object: apiVersion, kind and metadata are declared by themselves. */
  readonly "x-kubernetes-embedded-resource"?: boolean | undefined;
  readonly "x-kubernetes-int-or-string"?: boolean | undefined;
  /** @default "atomic" */
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map" | undefined;
  readonly "x-kubernetes-list-map-keys"?: readonly string[] | undefined;
  /** @default "granular" */
  readonly "x-kubernetes-map-type"?: "granular" | "atomic" | undefined;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[] | undefined;
}

/** A rule in CEL about the value it stands at. Kept as data: nothing here evaluates it. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  /** @default "FieldValueInvalid" */
  readonly reason?:
    | "FieldValueInvalid"
    | "FieldValueRequired"
    | "FieldValueForbidden"
    | "FieldValueDuplicate"
    | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}
