import { type AnyKind, kindName } from "../../api/index.ts";
import { facts, type SchemaFacts } from "../../api/types/facts.ts";
import {
  atomicNode,
  deducedNode,
  type ListNode,
  type ObjectNode,
  type ScalarType,
  type SchemaNode,
} from "./schema-node.ts";

/**
 * Returns the node of a built-in kind for merging and field ownership, or `undefined` if the pinned release has no such
 * kind.
 */
export function typedNode(kind: AnyKind): SchemaNode | undefined {
  const name = facts().schemaNames.get(kindName(kind));
  return name === undefined ? undefined : namedNode(name);
}

/** Returns the node of the metadata of any object. */
export function objectMetaNode(): SchemaNode {
  return namedNode("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

function namedNode(name: string): SchemaNode {
  const cached = byName.get(name);
  if (cached) return cached;
  const created = name === rawExtension ? atomicNode : createNode(facts().schemas.get(name) ?? {});
  byName.set(name, created);
  return created;
}

const byName = new Map<string, SchemaNode>();

/** Embedded objects of any kind. Each is one value. */
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";

function nodeOf(schema: SchemaFacts): SchemaNode {
  const { ref, ...beside } = schema;
  if (ref === undefined) return createOnce(schema, schema);
  if (ref === rawExtension || Object.keys(beside).length === 0) return namedNode(ref);
  return createOnce(schema, { ...facts().schemas.get(ref), ...beside });
}

/**
 * Creates the node of `schema` once. `whole` also has the content of its reference; keywords beside a reference take
 * precedence over it.
 */
function createOnce(schema: SchemaFacts, whole: SchemaFacts): SchemaNode {
  const cached = byFacts.get(schema);
  if (cached) return cached;
  const created = createNode(whole);
  byFacts.set(schema, created);
  return created;
}

const byFacts = new WeakMap<SchemaFacts, SchemaNode>();

/** Creates a node. A schema without type and format allows any value. */
function createNode(schema: SchemaFacts): SchemaNode {
  return schema.type === undefined && schema.format === undefined ? deducedNode : new FactsNode(schema);
}

class FactsNode implements SchemaNode {
  readonly scalar: ScalarType | undefined;
  readonly #facts: SchemaFacts;
  #object: ObjectNode | undefined;
  #list: ListNode | undefined;

  constructor(schema: SchemaFacts) {
    this.scalar = scalarOf(schema);
    this.#facts = schema;
  }

  get default(): unknown {
    return this.#facts.default;
  }

  get object(): ObjectNode | undefined {
    if (this.#facts.type !== "object") return undefined;
    this.#object ??= new FactsObject(this.#facts);
    return this.#object;
  }

  get list(): ListNode | undefined {
    if (this.#facts.type !== "array") return undefined;
    this.#list ??= listNode(this.#facts);
    return this.#list;
  }
}

/** Returns the scalar type. A string with a format, such as a time, may have several forms of the same value. */
function scalarOf({ type, format }: SchemaFacts): ScalarType | undefined {
  if (type === "object" || type === "array") return undefined;
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (format === "int-or-string") return "untyped";
  return type === "string" && (format === undefined || format === "byte") ? "string" : "scalar";
}

class FactsObject implements ObjectNode {
  readonly type: ObjectNode["type"];
  readonly #facts: SchemaFacts;
  #fields: ReadonlyMap<string, SchemaNode> | undefined;
  /** `null`: the object has no other keys. */
  #values: SchemaNode | null | undefined;

  constructor(schema: SchemaFacts) {
    this.type = schema.mapType ?? "granular";
    this.#facts = schema;
  }

  get fields(): ReadonlyMap<string, SchemaNode> {
    this.#fields ??= this.#findFields();
    return this.#fields;
  }

  #findFields(): ReadonlyMap<string, SchemaNode> {
    const { properties = {} } = this.#facts;
    return new Map(Object.entries(properties).map(([name, field]) => [name, nodeOf(field)]));
  }

  get values(): SchemaNode | undefined {
    if (this.#values === undefined) this.#values = this.#findValues() ?? null;
    return this.#values ?? undefined;
  }

  /** Returns the node of undeclared keys. An object without declarations may have any key. */
  #findValues(): SchemaNode | undefined {
    const { additionalProperties, properties } = this.#facts;
    if (additionalProperties) return nodeOf(additionalProperties);
    return properties ? undefined : deducedNode;
  }

  get patchStrategy(): ObjectNode["patchStrategy"] {
    return this.#facts.patchStrategy ?? [];
  }
}

function listNode(schema: SchemaFacts): ListNode {
  const { patchStrategy = [], patchMergeKey } = schema;
  return {
    items: schema.items ? nodeOf(schema.items) : atomicNode,
    ...listType(schema),
    patchStrategy,
    patchMergeKey,
  };
}

/** Returns the list type. Without an explicit type, apply merges a list as a strategic merge patch does. */
function listType(schema: SchemaFacts): Pick<ListNode, "type" | "keys"> {
  const { listType: type, listMapKeys: keys = [], patchStrategy = [], patchMergeKey } = schema;
  if (type !== undefined) return { type, keys };
  if (!patchStrategy.includes("merge")) return { type: "atomic", keys: [] };
  return patchMergeKey === undefined ? { type: "set", keys: [] } : { type: "map", keys: [patchMergeKey] };
}
