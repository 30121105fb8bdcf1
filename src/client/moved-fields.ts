import type { ManagedFieldsEntry } from "../api/index.ts";

export interface FieldMove {
  /** Field managers whose entries are removed. */
  readonly from: readonly string[];
  /** The field manager that gets their fields, in its Apply entry. */
  readonly to: string;
  /** Only entries of this subresource are moved. @default the object itself */
  readonly subresource?: string | undefined;
}

/**
 * Moves the fields of field managers to another one, as `csaupgrade` of client-go does: the Apply and Update entries of
 * `from` are merged into the Apply entry of `to` and removed. Entries of another API version than that entry are
 * removed without being merged, because their paths may have another meaning.
 *
 * Unlike in client-go, ownership of `metadata.finalizers` is dropped instead of moved. Otherwise the next apply, which
 * rarely contains finalizers, would remove a finalizer whose cleanup has not run.
 *
 * @returns the new managed fields, or `undefined` if there are none to move
 */
export function movedFields(
  entries: readonly ManagedFieldsEntry[],
  { from, to, subresource }: FieldMove,
): ManagedFieldsEntry[] | undefined {
  const isTarget = (entry: ManagedFieldsEntry): boolean =>
    entry.manager === to && entry.operation === "Apply" && isOf(entry, subresource);
  const moves = (entry: ManagedFieldsEntry): boolean =>
    entry.manager !== undefined &&
    from.includes(entry.manager) &&
    isOf(entry, subresource) &&
    !isTarget(entry);
  const moved = entries.filter(moves);
  const [first] = moved;
  if (!first) return undefined;
  const target = entries.find(isTarget) ?? { ...first, manager: to, operation: "Apply", fieldsV1: {} };
  const merged = moved
    .filter(({ apiVersion }) => apiVersion === target.apiVersion)
    .map(({ fieldsV1 }) => withoutFinalizers(asFields(fieldsV1)))
    .reduce(union, asFields(target.fieldsV1));
  const kept = entries.filter((entry) => !moves(entry) && entry !== target);
  return [{ ...target, fieldsV1: merged }, ...kept];
}

function isOf(entry: ManagedFieldsEntry, subresource: string | undefined): boolean {
  return (entry.subresource || undefined) === subresource;
}

/** A set of fields in the format FieldsV1: `{}` is the field itself, `.` the field in addition to its children. */
interface Fields {
  readonly [part: string]: Fields;
}

function asFields(fields: ManagedFieldsEntry["fieldsV1"]): Fields {
  return (fields ?? {}) as Fields; // the server writes no other format
}

/** Returns the union of the children of one field. The root is never a member, so `{}` is the empty set there. */
function union(one: Fields, other: Fields): Fields {
  const both = { ...one };
  for (const [part, fields] of Object.entries(other)) {
    const known = both[part];
    both[part] = known ? unionOfField(known, fields) : fields;
  }
  return both;
}

function unionOfField(one: Fields, other: Fields): Fields {
  if (isLeaf(one) && isLeaf(other)) return one;
  const isMember = isMemberItself(one) || isMemberItself(other);
  return isMember ? { ".": {}, ...union(one, other) } : union(one, other);
}

function isMemberItself(fields: Fields): boolean {
  return isLeaf(fields) || "." in fields;
}

function isLeaf(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

function withoutFinalizers(fields: Fields): Fields {
  const { "f:metadata": metadata, ...rest } = fields;
  if (!metadata?.["f:finalizers"]) return fields;
  const { "f:finalizers": _, ...kept } = metadata;
  return isLeaf(kept) ? rest : { ...rest, "f:metadata": kept };
}
