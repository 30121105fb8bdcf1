import { type AnyKind, kindName, type SchemaFacts } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";

/**
 * The Go type that kube-apiserver decodes a value of a built-in kind into, as far as OpenAPI tells: what JSON it
 * takes, and what it is called in the decoder's messages.
 *
 * The same schema gives the same value, and what is inside is looked up when it is asked for: types are recursive.
 */
export interface TypedSchema {
  readonly shape: Shape;
  /** As messages print it: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly goType: string;
  /** The declared fields of a struct. Others are unknown. */
  readonly fields: ReadonlyMap<string, TypedField>;
  /** What the elements of a list or the values of a map are. Of what may be a schema, the schema. */
  readonly element: TypedSchema | undefined;
}

export interface TypedField {
  readonly type: TypedSchema;
  /** What it is where it is missing: a value of use, or what Go writes for nothing (`""`, `0`, `{}`). May be absent. */
  readonly default?: unknown;
  /** Whether it must be given. */
  readonly required: boolean;
  /** Whether Go tells zero and nothing apart here. */
  readonly pointer: boolean;
  /** When Go writes it. */
  readonly written: "always" | "unless-empty" | "unless-zero";
}

/** `raw` is JSON that is kept as it came. A CustomResourceDefinition has parts that may be a schema or something else. */
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

/** The type of a built-in kind, or nothing if the pinned release has none of that name. */
export function typedSchema(kind: AnyKind): TypedSchema | undefined {
  const name = facts().schemaNames.get(kindName(kind));
  return name === undefined ? undefined : named(name);
}

/** The metadata of every object, built-in or not. */
export function objectMetaSchema(): TypedSchema {
  return named("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

function named(name: string): TypedSchema {
  const known = byName.get(name);
  if (known) return known;
  const made = new FactsType(facts().schemas.get(name) ?? {}, name);
  byName.set(name, made);
  return made;
}

const byName = new Map<string, TypedSchema>();

function typed(schema: SchemaFacts): TypedSchema {
  if (schema.ref !== undefined) return named(schema.ref);
  const known = byFacts.get(schema);
  if (known) return known;
  const made = new FactsType(schema, "");
  byFacts.set(schema, made);
  return made;
}

const byFacts = new WeakMap<SchemaFacts, TypedSchema>();

class FactsType implements TypedSchema {
  readonly shape: Shape;
  readonly #facts: SchemaFacts;
  /** In OpenAPI. Empty for what is written where it is used. */
  readonly #name: string;
  #goType: string | undefined;
  #fields: ReadonlyMap<string, TypedField> | undefined;
  /** `null`: there is none. */
  #element: TypedSchema | null | undefined;

  constructor(schema: SchemaFacts, name: string) {
    this.shape = shapeOf(schema, name);
    this.#facts = schema;
    this.#name = name;
  }

  get goType(): string {
    this.#goType ??= this.#name === "" ? this.#builtInType() : this.#name.split(".").slice(-2).join(".");
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

/** The parts of a CustomResourceDefinition of which OpenAPI only says that they may be anything. */
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
