import { type AnyKind, kindName, type SchemaFacts } from "../api/index.ts";
import { facts } from "../api/types/facts.ts";
import {
  atomicNode,
  deducedNode,
  type ListNode,
  type ObjectNode,
  type ScalarType,
  type SchemaNode,
} from "./schema-node.ts";

/** How objects of a built-in kind are merged and owned, or nothing if the pinned release has no such kind. */
export function typedNode(kind: AnyKind): SchemaNode | undefined {
  const name = facts().schemaNames.get(kindName(kind));
  return name === undefined ? undefined : namedNode(name);
}

/** How the metadata of every object is merged and owned, built-in or not. */
export function objectMetaNode(): SchemaNode {
  return namedNode("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

function namedNode(name: string): SchemaNode {
  const known = byName.get(name);
  if (known) return known;
  const made = name === rawExtension ? atomicNode : makeNode(facts().schemas.get(name) ?? {});
  byName.set(name, made);
  return made;
}

const byName = new Map<string, SchemaNode>();

/** Objects of any kind, inside others: each is one value. */
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";

function nodeOf(schema: SchemaFacts): SchemaNode {
  const { ref, ...beside } = schema;
  if (ref === undefined) return madeOnce(schema, schema);
  if (ref === rawExtension || Object.keys(beside).length === 0) return namedNode(ref);
  return madeOnce(schema, { ...facts().schemas.get(ref), ...beside });
}

/** What stands beside a reference counts over what it refers to, so `whole` may be more than the `schema` it is kept by. */
function madeOnce(schema: SchemaFacts, whole: SchemaFacts): SchemaNode {
  const known = byFacts.get(schema);
  if (known) return known;
  const made = makeNode(whole);
  byFacts.set(schema, made);
  return made;
}

const byFacts = new WeakMap<SchemaFacts, SchemaNode>();

/** Of what has neither type nor format, nothing is known: it may be anything. */
function makeNode(schema: SchemaFacts): SchemaNode {
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

/** A string with a format may be the same in other words, as times are. */
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
  /** `null`: there are none. */
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

  /** An object of which nothing is declared may hold anything. */
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

/** A list whose type is not given is merged by apply as a strategic merge patch merges it. */
function listType(schema: SchemaFacts): Pick<ListNode, "type" | "keys"> {
  const { listType: type, listMapKeys: keys = [], patchStrategy = [], patchMergeKey } = schema;
  if (type !== undefined) return { type, keys };
  if (!patchStrategy.includes("merge")) return { type: "atomic", keys: [] };
  return patchMergeKey === undefined ? { type: "set", keys: [] } : { type: "map", keys: [patchMergeKey] };
}
