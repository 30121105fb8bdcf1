import type { SchemaNode } from "../schema/index.ts";
import { failed } from "./patch-error.ts";

/** How a strategic merge patch treats a list. */
export interface ListPlace {
  /** Elements are merged. Else the patch's list is taken as it is. */
  readonly merges: boolean;
  /** The field that tells elements apart. Absent for lists of scalars, and for lists that are never merged. */
  readonly key: string | undefined;
  readonly items: SchemaNode;
}

/** The structure of a field that an object and its patch both have. Throws where nothing is declared. */
export function fieldPlace(node: SchemaNode, key: string): SchemaNode {
  const field = node.object?.fields.get(key);
  if (field) return field;
  throw failed(
    isMap(node)
      ? notStruct
      : `unable to find api field in struct ${structName(node)} for the json field "${key}"`,
  );
}

export function listPlace(node: SchemaNode, key: string): ListPlace {
  const { list } = fieldPlace(node, key);
  if (!list) throw failed("expected slice or array type, but got: struct");
  const { items, patchStrategy, patchMergeKey } = list;
  return { merges: patchStrategy.includes("merge"), key: patchMergeKey, items };
}

/** Objects stand in a list that has no field to tell them apart. */
export function withoutKey(verb: "merge" | "order", { items }: ListPlace): Error {
  return failed(`cannot ${verb} lists without merge key for ${items.object ? "struct" : items.scalar}`);
}

const notStruct = "merging an object in json but data type is not struct, instead is: map";

function isMap({ object, scalar }: SchemaNode): boolean {
  return object?.fields.size === 0 && object.values !== undefined && scalar === undefined;
}

/** What may be anything is raw JSON for the server. Other types are not known here by their names. */
function structName({ scalar }: SchemaNode): string {
  return scalar === undefined ? "object" : "RawExtension";
}
