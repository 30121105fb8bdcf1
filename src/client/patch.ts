import type { ContentOf, DeepReadonly, IsCustom, ObjectMeta, Unstructured } from "../api/index.ts";

/**
 * A JSON patch (RFC 6902), a merge patch (RFC 7396), or a strategic merge patch, which merges lists by their keys. API
 * servers have no strategic merge patch for custom kinds: apply, or use a merge patch.
 */
export type Patch<T = Unstructured> =
  | { readonly json: readonly JsonPatchStep[] }
  | { readonly merge: Names & Merge<PatchContent<T>> }
  | (IsCustom<T> extends true ? never : { readonly strategic: Names & StrategicMerge<PatchContent<T>> });

export type JsonPatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

interface Names {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/** Any field, if the type of the kind has no content: `Kind` without a type, or a view with only metadata. */
type PatchContent<T> = ([keyof ContentOf<T>] extends [never] ? Record<string, unknown> : ContentOf<T>) & {
  readonly metadata: ObjectMeta;
};

/**
 * Any part of `T`, at any depth. `null` deletes a field. A list replaces the whole list, so its elements are complete.
 * If `T` is a union of objects, a patch can delete the fields of the other members.
 */
export type Merge<T, Union = T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [P in keyof T]?: Merge<T[P]> | null | undefined } & Deleted<
        Exclude<FieldsOf<Union>, keyof T>
      >
    : T;

/** Any part of `T`, at any depth, also of the elements of lists, with directives. `null` deletes a field. */
export type StrategicMerge<T> = T extends readonly (infer E)[]
  ? readonly StrategicMerge<E>[]
  : T extends object
    ? { readonly [P in keyof T]?: StrategicMerge<T[P]> | null | undefined } & Directives<T>
    : T;

type FieldsOf<Union> = Union extends readonly unknown[] ? never : Union extends object ? keyof Union : never;

type Deleted<Fields extends PropertyKey> = [Fields] extends [never]
  ? unknown
  : { readonly [P in Fields]?: null | undefined };

/** The directives of a strategic merge patch in an object or an element of a list. */
export type Directives<T> = {
  /** Replaces or deletes the object or element instead of merging it. @default "merge" */
  readonly $patch?: "merge" | "replace" | "delete" | undefined;
  /** The fields to keep. Others are deleted. @default all */
  readonly $retainKeys?: readonly (keyof T)[] | undefined;
} & {
  /** The order of a merged list, by its merge keys or values, and the values to remove from it. */
  readonly [P in ListsOf<T> as `$setElementOrder/${P}` | `$deleteFromPrimitiveList/${P}`]?:
    | readonly unknown[]
    | undefined;
};

type ListsOf<T> = {
  [P in keyof T & string]-?: NonNullable<T[P]> extends readonly unknown[] ? P : never;
}[keyof T & string];
