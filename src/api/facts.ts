import { kindName } from "./kind.ts";

/**
 * What a Kubernetes release serves, and how its objects are built: for a server, and for tools that print or check.
 * Nothing here is changed by anybody.
 */
export interface Facts {
  /** The Kubernetes release all of this was read from, like `v1.36.3`. */
  readonly release: string;
  /** The core group first, the others in the order discovery lists them. */
  readonly groups: readonly GroupFacts[];
  /** In the order of groups and versions, then as discovery lists them. */
  readonly resources: readonly ResourceFacts[];
  /** By OpenAPI name, like `io.k8s.api.core.v1.Pod`. */
  readonly schemas: ReadonlyMap<string, SchemaFacts>;
  /** The structs of the server's own form of core objects, which it prints in some refusals, by name: `PodSpec`. */
  readonly internals: ReadonlyMap<string, readonly InternalField[]>;
  /** OpenAPI names by kind, as `kindName` writes it: `"apps/v1 Deployment"`. */
  readonly schemaNames: ReadonlyMap<string, string>;
}

/** A field of one of the server's own structs, in their order. */
export interface InternalField {
  /** `HostNetwork` */
  readonly name: string;
  /** The field of the API that it is: `hostNetwork`. */
  readonly field: string;
  /** `*` is a pointer, `[]` a list, `{}` a map. Structs are named, scalars are `string`, `number`, `boolean`. */
  readonly type: string;
}

export interface GroupFacts {
  /** `""` for the core group. */
  readonly name: string;
  /** The preferred one first. */
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
  /** `status`, `scale`, `log` ... */
  readonly name: string;
  /** Group, version and kind of the body, which need not be the resource's. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/**
 * The structure of a value. Where `ref` is set, the rest of the structure is that schema's, and only `default`,
 * `mapType`, `listType` and what a patch does can stand beside it.
 */
export interface SchemaFacts {
  /** Another schema, by its OpenAPI name. */
  readonly ref?: string | undefined;
  /** None for a value of any type. `Quantity` and `IntOrString` have a `format` and no type. */
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
  /** Of a field: the server's Go struct has a pointer here, so that zero and nothing are told apart. */
  readonly pointer?: boolean | undefined;
  /**
   * Of a field: when the server writes it. What is a struct in Go, times and quantities too, is never empty there.
   * @default "unless-empty"
   */
  readonly written?: "always" | "unless-zero" | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly nullable?: boolean | undefined;
  /** The fields of an object. Others are unknown, unless `preserveUnknownFields`. */
  readonly properties?: Readonly<Record<string, SchemaFacts>> | undefined;
  readonly required?: readonly string[] | undefined;
  /** What the values of a map are. */
  readonly additionalProperties?: SchemaFacts | undefined;
  /** What the elements of a list are. */
  readonly items?: SchemaFacts | undefined;
  /** How apply merges a list. @default "atomic" */
  readonly listType?: "atomic" | "set" | "map" | undefined;
  /** The fields that tell the elements of a list of type `map` apart. */
  readonly listMapKeys?: readonly string[] | undefined;
  /** How apply merges an object. @default "granular" */
  readonly mapType?: "atomic" | "granular" | undefined;
  /** How a strategic merge patch treats a list or an object. @default ["replace"] for lists, ["merge"] for objects */
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[] | undefined;
  /** The field by which a strategic merge patch tells the elements of a list apart. */
  readonly patchMergeKey?: string | undefined;
  readonly unions?: readonly UnionFacts[] | undefined;
  readonly preserveUnknownFields?: boolean | undefined;
  /** The kinds this is the schema of. More than one for what every group has, like `DeleteOptions`. */
  readonly kinds?: readonly GroupVersionKind[] | undefined;
}

/** Fields of which one is set, as the field `discriminator` says. */
export interface UnionFacts {
  readonly discriminator?: string | undefined;
  readonly "fields-to-discriminateBy": Readonly<Record<string, string>>;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The generated text: one JSON value on each line. */
export interface FactsText {
  readonly release: string;
  readonly groups: string;
  readonly resources: string;
  /** Each line is a name and its schema, where a schema of type or reference alone is just a string (see `expand`). */
  readonly schemas: string;
  /** Each line is a struct and its fields: `Name=field:type` in a row. */
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

/** Our own generator wrote the text, so its shape is taken on trust. */
function lines<T>(text: string): T[] {
  return JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`) as T[];
}

/**
 * `"string"`, `"integer:int32"`, `"@io.k8s.api.core.v1.PodSpec"`; or with more to say, an object with that as `is`. The
 * fields of an object have marks after that: `*` for a pointer, `!` if it is always written, `?` unless it is zero.
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

/** Equal texts give the same value, so that thousands of `string` fields are one object. */
function typeOrRef(text: string): SchemaFacts {
  const known = simple.get(text);
  if (known) return known;
  const { is = "", marks = "" } = /^(?<is>[^*!?]*)(?<marks>.*)$/.exec(text)?.groups ?? {};
  const made = { ...unmarked(is), ...(marks.includes("*") && { pointer: true }), ...writing(marks) };
  simple.set(text, made);
  return made;
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
