import type { SchemaNode } from "../../schema/index.ts";
import { failed } from "./patch-error.ts";

/** The patch metadata of a list: how a strategic merge patch treats it. */
export interface ListPatchMetadata {
  /** True if elements are merged. Otherwise the patch replaces the list. */
  readonly merges: boolean;
  /** The merge key. Absent for lists of scalars, and for lists that are never merged. */
  readonly key: string | undefined;
  readonly items: SchemaNode;
}

/** Returns the schema of a field that an object and its patch both have. Throws if it is not declared. */
export function lookupField(node: SchemaNode, key: string): SchemaNode {
  const field = node.object?.fields.get(key);
  if (field) return field;
  throw failed(
    isMap(node)
      ? notStruct
      : `unable to find api field in struct ${structName(node)} for the json field "${key}"`,
  );
}

export function lookupList(node: SchemaNode, key: string): ListPatchMetadata {
  const { list } = lookupField(node, key);
  if (!list) throw failed("expected slice or array type, but got: struct");
  const { items, patchStrategy, patchMergeKey } = list;
  return { merges: patchStrategy.includes("merge"), key: patchMergeKey, items };
}

/** Returns the error for a list of objects without a merge key. */
export function missingMergeKey(verb: "merge" | "order", { items }: ListPatchMetadata): Error {
  return failed(`cannot ${verb} lists without merge key for ${items.object ? "struct" : items.scalar}`);
}

const notStruct = "merging an object in json but data type is not struct, instead is: map";

function isMap({ object, scalar }: SchemaNode): boolean {
  return object?.fields.size === 0 && object.values !== undefined && scalar === undefined;
}

/**
 * Returns the name of a struct in messages. The server has raw JSON for a value of any type. Other type names are not
 * known here.
 */
function structName({ scalar }: SchemaNode): string {
  return scalar === undefined ? "object" : "RawExtension";
}
