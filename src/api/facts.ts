import { kindName } from "./kind.ts";

/**
 * The API of a Kubernetes release: its resources and the schemas of its objects. For servers, and for tools that print
 * or validate.
 *
 * Immutable.
 */
export interface Facts {
  /** The Kubernetes release, such as `v1.36.3`. */
  readonly release: string;
  /** The API groups: the core group first, the others in discovery order. */
  readonly groups: readonly GroupFacts[];
  /** The resources by group and version, then in discovery order. */
  readonly resources: readonly ResourceFacts[];
  /** The schemas by OpenAPI name, such as `io.k8s.api.core.v1.Pod`. */
  readonly schemas: ReadonlyMap<string, SchemaFacts>;
  /** The server's internal structs of core objects by name, such as `PodSpec`. Some error messages print them. */
  readonly internals: ReadonlyMap<string, readonly InternalField[]>;
  /** OpenAPI names by kind in the notation of `kindName`: `"apps/v1 Deployment"`. */
  readonly schemaNames: ReadonlyMap<string, string>;
}

/** A field of an internal struct, in struct order. */
export interface InternalField {
  /** The Go name: `HostNetwork`. */
  readonly name: string;
  /** The name in the API: `hostNetwork`. */
  readonly field: string;
  /**
   * The type: `*` is a pointer, `[]` a list, `{}` a map. Structs have their names, scalars are `string`, `number`,
   * `boolean`.
   */
  readonly type: string;
}

export interface GroupFacts {
  /** `""` for the core group. */
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly string[];
}

export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceFacts[];
}

export interface SubresourceFacts {
  /** The name of the subresource: `status`, `scale`, `log` and so on. */
  readonly name: string;
  /** Group, version and kind of the body, which may differ from those of the resource. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/**
 * The schema of a value. If `ref` is set, the schema is the referenced one, and only `default`, `mapType`, `listType`,
 * `patchStrategy` and `patchMergeKey` may be set beside it.
 */
export interface SchemaFacts {
  /** Another schema, by its OpenAPI name. */
  readonly ref?: string | undefined;
  /** Absent for a value of any type. `Quantity` and `IntOrString` have a `format` and no type. */
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | undefined;
  readonly format?:
    | "int32"
    | "int64"
    | "double"
    | "byte"
    | "date-time"
    | "micro-time"
    | "quantity"
    | "int-or-string"
    | undefined;
  readonly default?: unknown;
  /** For a field: true if it is a pointer in the server's Go struct, so that zero and missing differ. */
  readonly pointer?: boolean | undefined;
  /**
   * For a field: when the server writes it. A struct in Go, including times and quantities, is never empty.
   * @default "unless-empty"
   */
  readonly written?: "always" | "unless-zero" | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly nullable?: boolean | undefined;
  /** The fields of an object. Others are unknown, unless `preserveUnknownFields` is set. */
  readonly properties?: Readonly<Record<string, SchemaFacts>> | undefined;
  readonly required?: readonly string[] | undefined;
  /** The schema of the values of a map. */
  readonly additionalProperties?: SchemaFacts | undefined;
  /** The schema of the elements of a list. */
  readonly items?: SchemaFacts | undefined;
  /** How apply merges a list. @default "atomic" */
  readonly listType?: "atomic" | "set" | "map" | undefined;
  /** The fields that identify the elements of a list of type `map`. */
  readonly listMapKeys?: readonly string[] | undefined;
  /** How apply merges an object. @default "granular" */
  readonly mapType?: "atomic" | "granular" | undefined;
  /** How a strategic merge patch treats a list or an object. @default ["replace"] for lists, ["merge"] for objects */
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[] | undefined;
  /** The field that identifies the elements of a list in a strategic merge patch. */
  readonly patchMergeKey?: string | undefined;
  readonly unions?: readonly UnionFacts[] | undefined;
  readonly preserveUnknownFields?: boolean | undefined;
  /** The kinds of this schema. Kinds that every group has, such as `DeleteOptions`, are several. */
  readonly kinds?: readonly GroupVersionKind[] | undefined;
}

/** Fields of which exactly one is set. The field `discriminator` names it. */
export interface UnionFacts {
  readonly discriminator?: string | undefined;
  readonly "fields-to-discriminateBy": Readonly<Record<string, string>>;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The generated text, one JSON value per line. */
export interface FactsText {
  readonly release: string;
  readonly groups: string;
  readonly resources: string;
  /** Each line is a name and its schema. A schema that is only a type or a reference is a string (see `expand`). */
  readonly schemas: string;
  /** Each line is a struct and its fields: `Name=field:type`, separated by spaces. */
  readonly internals: string;
}

export function parseFacts({ release, groups, resources, schemas, internals }: FactsText): Facts {
  const pairs = lines<readonly [string, CompactSchema]>(schemas);
  const expanded = new Map(pairs.map(([name, schema]) => [name, expand(schema)]));
  return {
    release,
    groups: lines<GroupFacts>(groups),
    resources: lines<ResourceFacts>(resources),
    schemas: expanded,
    internals: new Map(
      lines<readonly [string, string]>(internals).map(([name, text]) => [name, fieldsIn(text)]),
    ),
    schemaNames: new Map(
      [...expanded].flatMap(([name, { kinds = [] }]) => kinds.map((kind) => [kindName(kind), name])),
    ),
  };
}

function fieldsIn(text: string): InternalField[] {
  return text.split(" ").map((part) => {
    const [name = "", field = "", type = ""] = part.split(/[=:]/);
    return { name, field, type };
  });
}

/** Parses one JSON value per line. The text is generated, so its shape is trusted. */
function lines<T>(text: string): T[] {
  return JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`) as T[];
}

/**
 * `"string"`, `"integer:int32"` or `"@io.k8s.api.core.v1.PodSpec"`, or an object with more keywords and that string as
 * `is`. Fields of an object may append marks: `*` for a pointer, `!` if it is always written, `?` if it is written
 * unless zero.
 */
type CompactSchema = string | CompactObject;

interface CompactObject
  extends Omit<SchemaFacts, "ref" | "type" | "properties" | "items" | "additionalProperties"> {
  readonly is?: string;
  readonly properties?: Readonly<Record<string, CompactSchema>>;
  readonly items?: CompactSchema;
  readonly additionalProperties?: CompactSchema;
}

function expand(schema: CompactSchema): SchemaFacts {
  if (typeof schema === "string") return typeOrRef(schema);
  const { is = "", properties, items, additionalProperties, ...rest } = schema;
  return {
    ...typeOrRef(is),
    ...rest,
    ...(properties && { properties: expandEach(properties) }),
    ...(items !== undefined && { items: expand(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: expand(additionalProperties) }),
  };
}

function expandEach(properties: Readonly<Record<string, CompactSchema>>): Record<string, SchemaFacts> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, expand(schema)]));
}

/** Returns the same object for equal strings, so that thousands of `string` fields share one object. */
function typeOrRef(text: string): SchemaFacts {
  const cached = simple.get(text);
  if (cached) return cached;
  const { is = "", marks = "" } = /^(?<is>[^*!?]*)(?<marks>.*)$/.exec(text)?.groups ?? {};
  const created = { ...unmarked(is), ...(marks.includes("*") && { pointer: true }), ...writing(marks) };
  simple.set(text, created);
  return created;
}

const simple = new Map<string, SchemaFacts>();

function unmarked(text: string): SchemaFacts {
  if (text.startsWith("@")) return { ref: text.slice(1) };
  const [type = "", format] = text.split(":");
  return { ...(type !== "" && { type }), ...(format !== undefined && { format }) } as SchemaFacts;
}

function writing(marks: string): Pick<SchemaFacts, "written"> {
  if (marks.includes("!")) return { written: "always" };
  return marks.includes("?") ? { written: "unless-zero" } : {};
}
