import type { ManagedFieldsEntry } from "../api/index.ts";

export interface FieldMove {
  /** Field managers whose entries disappear. */
  readonly from: readonly string[];
  /** The field manager that gets their fields, as one that applies. */
  readonly to: string;
  /** Only entries of this subresource count. @default the object itself */
  readonly subresource?: string | undefined;
}

/**
 * Moves the fields of field managers to another one, as `csaupgrade` of client-go does: the entries of `from`, whether they
 * applied or updated, are merged into the Apply entry of `to` and removed. Entries of another API version than that entry's
 * are removed without being merged, because their paths may mean something else.
 *
 * Unlike there, ownership of `metadata.finalizers` is dropped instead of moved. Else the next apply, which seldom names
 * finalizers, would remove one whose clean-up has not run.
 *
 * @returns the new managed fields, or `undefined` if there is nothing to move
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

/** A set of fields in the form of FieldsV1: `{}` is the field itself, `.` the field beside its parts. */
interface Fields {
  readonly [part: string]: Fields;
}

function asFields(fields: ManagedFieldsEntry["fieldsV1"]): Fields {
  return (fields ?? {}) as Fields; // the server writes nothing else there
}

/** The union of the parts of one field. Its root is never a member, so `{}` there is the empty set. */
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
