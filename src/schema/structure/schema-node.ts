/**
 * One place in the structure of an object, for code that merges, compares or tracks fields.
 *
 * Built-in kinds and custom resources share this interface, so `patch/` does not distinguish them. A node describes the
 * values that are allowed at its place: an object, a list, a scalar, or several of these (`IntOrString` is a scalar of
 * either type, an undeclared field may be anything). Nodes are immutable and created lazily, because built-in types are
 * recursive. The same place always has the same node, so a node may be a key of a `Map`.
 *
 * Walk down with `child` and `elementOf`, which also handle undeclared fields.
 */
export interface SchemaNode {
  /** The structure of an object at this place. Absent if objects are not allowed. */
  readonly object?: ObjectNode | undefined;
  /** The structure of a list at this place. Absent if lists are not allowed. */
  readonly list?: ListNode | undefined;
  /** The type of a scalar at this place. Absent if scalars are not allowed. */
  readonly scalar?: ScalarType | undefined;
  /** The default of a missing value, used to compare the keys of list elements. Absent without a default. */
  readonly default?: unknown;
}

/**
 * `scalar` is a scalar of any type, or one whose string and number forms are compared as equal, such as a quantity.
 * `untyped` is the same without a check that the value is a scalar.
 */
export type ScalarType = "string" | "number" | "boolean" | "scalar" | "untyped";

export interface ObjectNode {
  /** The declared fields, in declaration order. Empty for a map. */
  readonly fields: ReadonlyMap<string, SchemaNode>;
  /** The node of every key that is not a declared field. Absent if such keys are unknown fields. */
  readonly values?: SchemaNode | undefined;
  /** `granular`: each field is merged and owned separately. `atomic`: the object is one value. */
  readonly type: "granular" | "atomic";
  /** The patch strategies of a strategic merge patch. Empty means `merge`, the default of objects. */
  readonly patchStrategy: readonly PatchStrategy[];
}

export interface ListNode {
  readonly items: SchemaNode;
  /**
   * `set`: elements are unique scalars. `map`: elements are objects identified by `keys`. `atomic`: the list is one
   * value.
   */
  readonly type: "atomic" | "set" | "map";
  /** The fields that identify elements of a list of type `map`, in declaration order. Empty for other types. */
  readonly keys: readonly string[];
  /** The patch strategies of a strategic merge patch. Empty means `replace`, the default of lists. */
  readonly patchStrategy: readonly PatchStrategy[];
  /** The field that identifies elements in a strategic merge patch. It need not be in `keys`. */
  readonly patchMergeKey?: string | undefined;
}

export type PatchStrategy = "merge" | "replace" | "retainKeys";

/** Returns the node of a key of an object at this place, or `undefined` for an unknown field. */
export function child(node: SchemaNode, key: string): SchemaNode | undefined {
  const { object } = node;
  return object?.fields.get(key) ?? object?.values;
}

/** Returns the node of the elements of a list at this place, or `undefined` if lists are not allowed. */
export function elementOf(node: SchemaNode): SchemaNode | undefined {
  return node.list?.items;
}

/** A scalar, list or object that is one value and is never merged. */
export const atomicNode: SchemaNode = {
  scalar: "untyped",
  get list(): ListNode {
    return atomicList;
  },
  get object(): ObjectNode {
    return atomicObject;
  },
};

/** A value without a declaration: objects are granular, lists are atomic. */
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
