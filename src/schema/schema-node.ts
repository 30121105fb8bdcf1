/**
 * One place in the structure of an object, as everything sees it that merges, compares or tracks fields.
 *
 * Built-in kinds and custom resources give the same interface, so `patch/` knows no other. A node says what may stand
 * at its place: an object, a list, a scalar, or more than one of them (`IntOrString` is a scalar of either type, an
 * undeclared field may be anything). Nodes are immutable and made lazily, since built-in structures are recursive:
 * the same place gives the same node, so that a node may be the key of a `Map`.
 *
 * Walk down with `child` and `elementOf`, which also answer for undeclared fields.
 */
export interface SchemaNode {
  /** How an object is built that stands here. Absent where none may. */
  readonly object?: ObjectNode | undefined;
  /** How a list is built that stands here. Absent where none may. */
  readonly list?: ListNode | undefined;
  /** What a scalar is that stands here. Absent where none may. */
  readonly scalar?: ScalarType | undefined;
  /** What a missing value is taken to be: the keys of list elements are compared with it. Absent without a default. */
  readonly default?: unknown;
}

/**
 * `scalar` is one of any type, or one that is compared as text or number alike, as quantities are. `untyped` is the same
 * where nobody looks whether it is one.
 */
export type ScalarType = "string" | "number" | "boolean" | "scalar" | "untyped";

export interface ObjectNode {
  /** The declared fields, in the order they are declared. Empty for a map. */
  readonly fields: ReadonlyMap<string, SchemaNode>;
  /** What stands under every key that is no declared field. Absent where such keys are unknown fields. */
  readonly values?: SchemaNode | undefined;
  /** `granular`: each field is merged and owned for itself. `atomic`: the object is one value. */
  readonly type: "granular" | "atomic";
  /** What a strategic merge patch does here. Empty says the default of objects, `merge`. */
  readonly patchStrategy: readonly PatchStrategy[];
}

export interface ListNode {
  readonly items: SchemaNode;
  /** `set`: elements are scalars, each once. `map`: elements are objects told apart by `keys`. `atomic`: one value. */
  readonly type: "atomic" | "set" | "map";
  /** The fields that tell elements of a list of type `map` apart, in their declared order. Empty for other types. */
  readonly keys: readonly string[];
  /** What a strategic merge patch does here. Empty says the default of lists, `replace`. */
  readonly patchStrategy: readonly PatchStrategy[];
  /** The field by which a strategic merge patch tells elements apart. It need not be in `keys`. */
  readonly patchMergeKey?: string | undefined;
}

export type PatchStrategy = "merge" | "replace" | "retainKeys";

/** What stands under a key of an object at this place, or nothing if that would be an unknown field. */
export function child(node: SchemaNode, key: string): SchemaNode | undefined {
  const { object } = node;
  return object?.fields.get(key) ?? object?.values;
}

/** What the elements of a list at this place are, or nothing if no list may stand here. */
export function elementOf(node: SchemaNode): SchemaNode | undefined {
  return node.list?.items;
}

/** A scalar, list or object of which nothing may be merged: each is one value, whole. */
export const atomicNode: SchemaNode = {
  scalar: "untyped",
  get list(): ListNode {
    return atomicList;
  },
  get object(): ObjectNode {
    return atomicObject;
  },
};

/** A value that is taken as it comes, where nothing is declared: objects are granular, lists atomic. */
export const deducedNode: SchemaNode = {
  scalar: "untyped",
  get list(): ListNode {
    return atomicList;
  },
  get object(): ObjectNode {
    return deducedObject;
  },
};

const noFields: ReadonlyMap<string, SchemaNode> = new Map();

const atomicList: ListNode = { items: atomicNode, type: "atomic", keys: [], patchStrategy: [] };

const atomicObject: ObjectNode = { fields: noFields, values: atomicNode, type: "atomic", patchStrategy: [] };

const deducedObject: ObjectNode = {
  fields: noFields,
  values: deducedNode,
  type: "granular",
  patchStrategy: [],
};
