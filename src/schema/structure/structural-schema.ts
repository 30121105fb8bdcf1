/**
 * The schema of a custom resource version, `openAPIV3Schema` of a CustomResourceDefinition.
 *
 * A structural schema declares its fields with types, properties and items. `allOf`, `anyOf`, `oneOf` and `not` only
 * restrict values. `structuralErrors` checks this; all other functions expect a schema that passed.
 */
export interface StructuralSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly externalDocs?: { readonly description?: string; readonly url?: string } | undefined;
  readonly example?: unknown;
  readonly format?: string | undefined;
  readonly nullable?: boolean | undefined;
  /** The value that is set if the field is missing. Never `null`. */
  readonly default?: unknown;

  readonly properties?: Readonly<Record<string, StructuralSchema>> | undefined;
  /** The schema of every key of a map, or `true` for any value. Excludes `properties`. */
  readonly additionalProperties?: boolean | StructuralSchema | undefined;
  readonly items?: StructuralSchema | undefined;
  readonly required?: readonly string[] | undefined;

  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  /** Minimum length in characters, not bytes. */
  readonly minLength?: number | undefined;
  /** Maximum length in characters, not bytes. */
  readonly maxLength?: number | undefined;
  /** A regular expression in Go's syntax (RE2). */
  readonly pattern?: string | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Must not be true, because checking it takes quadratic time. Use a list of type `set`. */
  readonly uniqueItems?: boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;

  readonly allOf?: readonly StructuralSchema[] | undefined;
  readonly anyOf?: readonly StructuralSchema[] | undefined;
  readonly oneOf?: readonly StructuralSchema[] | undefined;
  readonly not?: StructuralSchema | undefined;

  /** `true` to keep undeclared fields of this object. Never `false`. */
  readonly "x-kubernetes-preserve-unknown-fields"?: true | undefined;
  /** True if the value is a whole Kubernetes object. Its apiVersion, kind and metadata need no declaration. */
  readonly "x-kubernetes-embedded-resource"?: boolean | undefined;
  readonly "x-kubernetes-int-or-string"?: boolean | undefined;
  /** @default "atomic" */
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map" | undefined;
  readonly "x-kubernetes-list-map-keys"?: readonly string[] | undefined;
  /** @default "granular" */
  readonly "x-kubernetes-map-type"?: "granular" | "atomic" | undefined;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[] | undefined;
}

/** A CEL rule for the value of its schema. Kept as data: this folder does not evaluate it. */
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
