import { type AnyKind, kindName } from "../../api/index.ts";
import { facts, type SchemaFacts } from "../../api/types/facts.ts";

/**
 * The Go type that kube-apiserver decodes a value of a built-in kind into, derived from OpenAPI: the accepted JSON, and
 * the name of the type in decoder messages.
 *
 * The same schema always has the same object. Fields and elements are resolved lazily, because types are recursive.
 */
export interface TypedSchema {
  readonly shape: Shape;
  /** The name in OpenAPI, such as `io.k8s.api.core.v1.Pod`. Empty for an inline schema. */
  readonly name: string;
  /** The name in messages: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly goType: string;
  /** The declared fields of a struct. All others are unknown. */
  readonly fields: ReadonlyMap<string, TypedField>;
  /** The type of the elements of a list or the values of a map. For `schemaOr…` shapes, the type of the schema. */
  readonly element: TypedSchema | undefined;
}

export interface TypedField {
  readonly type: TypedSchema;
  /** The default of a missing field: a real default, or Go's zero value (`""`, `0`, `{}`). May be absent. */
  readonly default?: unknown;
  /** True if the field is required. */
  readonly required: boolean;
  /** True if the field is a pointer in Go, so that zero and missing differ. */
  readonly pointer: boolean;
  /** When Go writes the field. */
  readonly written: "always" | "unless-empty" | "unless-zero";
}

/**
 * The JSON form of a type. `raw` is JSON that is kept unchanged. `schemaOr…` are parts of a CustomResourceDefinition
 * that may be a schema or something else.
 */
export type Shape =
  | "struct"
  | "map"
  | "list"
  | "string"
  | "boolean"
  | "integer"
  | "number"
  | "bytes"
  | "time"
  | "microTime"
  | "quantity"
  | "intOrString"
  | "raw"
  | "schemaOrBoolean"
  | "schemaOrList"
  | "schemaOrStrings";

/** Returns the type of a built-in kind, or `undefined` if the pinned release has no such kind. */
export function typedSchema(kind: AnyKind): TypedSchema | undefined {
  const name = facts().schemaNames.get(kindName(kind));
  return name === undefined ? undefined : named(name);
}

/** Returns the type of the metadata of any object. */
export function objectMetaSchema(): TypedSchema {
  return named("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

function named(name: string): TypedSchema {
  const cached = byName.get(name);
  if (cached) return cached;
  const created = new FactsType(facts().schemas.get(name) ?? {}, name);
  byName.set(name, created);
  return created;
}

const byName = new Map<string, TypedSchema>();

function typed(schema: SchemaFacts): TypedSchema {
  if (schema.ref !== undefined) return named(schema.ref);
  const cached = byFacts.get(schema);
  if (cached) return cached;
  const created = new FactsType(schema, "");
  byFacts.set(schema, created);
  return created;
}

const byFacts = new WeakMap<SchemaFacts, TypedSchema>();

class FactsType implements TypedSchema {
  readonly shape: Shape;
  readonly name: string;
  readonly #facts: SchemaFacts;
  #goType: string | undefined;
  #fields: ReadonlyMap<string, TypedField> | undefined;
  /** `null`: the type has no element. */
  #element: TypedSchema | null | undefined;

  constructor(schema: SchemaFacts, name: string) {
    this.shape = shapeOf(schema, name);
    this.#facts = schema;
    this.name = name;
  }

  get goType(): string {
    this.#goType ??= this.name === "" ? this.#builtInType() : this.name.split(".").slice(-2).join(".");
    return this.#goType;
  }

  #builtInType(): string {
    const element = this.element?.goType ?? "";
    if (this.shape === "list") return `[]${element}`;
    if (this.shape === "map") return `map[string]${element}`;
    return goTypes[this.shape] ?? this.#facts.format ?? "int64";
  }

  get fields(): ReadonlyMap<string, TypedField> {
    this.#fields ??= this.#findFields();
    return this.#fields;
  }

  #findFields(): ReadonlyMap<string, TypedField> {
    const { properties = {}, required = [] } = this.#facts;
    return new Map(
      Object.entries(properties).map(([name, field]) => [name, fieldOf(field, required.includes(name))]),
    );
  }

  get element(): TypedSchema | undefined {
    if (this.#element === undefined) this.#element = this.#findElement() ?? null;
    return this.#element ?? undefined;
  }

  #findElement(): TypedSchema | undefined {
    if (this.shape.startsWith("schemaOr")) return named(jsonSchemaProps);
    const element = this.#facts.items ?? this.#facts.additionalProperties;
    return element && typed(element);
  }
}

const jsonSchemaProps = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

function fieldOf(field: SchemaFacts, required: boolean): TypedField {
  const { pointer = false, written = "unless-empty" } = field;
  return { type: typed(field), default: field.default, required, pointer, written };
}

/** The parts of a CustomResourceDefinition that OpenAPI describes only as any value. */
const orSchema: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["JSONSchemaPropsOrBool", "schemaOrBoolean"],
  ["JSONSchemaPropsOrArray", "schemaOrList"],
  ["JSONSchemaPropsOrStringArray", "schemaOrStrings"],
]);

const formatShapes: Readonly<Record<string, Shape>> = {
  byte: "bytes",
  "date-time": "time",
  "micro-time": "microTime",
  quantity: "quantity",
  "int-or-string": "intOrString",
};

function shapeOf(schema: SchemaFacts, name: string): Shape {
  const special = orSchema.get(name.split(".").at(-1) ?? "") ?? formatShapes[schema.format ?? ""];
  if (special) return special;
  if (schema.type === undefined || schema.preserveUnknownFields) return "raw";
  if (schema.type === "array") return "list";
  if (schema.type !== "object") return schema.type;
  return schema.additionalProperties ? "map" : "struct";
}

const goTypes: Readonly<Partial<Record<Shape, string>>> = {
  string: "string",
  boolean: "bool",
  number: "float64",
  bytes: "[]uint8",
};
