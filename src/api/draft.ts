import type { KubeObject, ObjectMeta } from "./object.ts";

/**
 * The input of a create: apiVersion and kind come from the `Kind`, and the server sets the rest. `spec` is optional if
 * an empty one is valid. Fields of a custom kind that have a default are optional.
 */
export type New<T extends KubeObject> = Partial<Pick<T, "apiVersion" | "kind">> &
  NewContent<T> & { metadata: NewMeta };

/** An apply configuration: the fields that the field manager wants to own, at any depth. */
export type Draft<T extends KubeObject> = DeepPartial<ContentOf<T>> & {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: DeepReadonly<NewMeta> & { readonly name: string };
};

declare const written: unique symbol;

/**
 * Gives an object type the spec and status that clients write, where a field with a default is optional. The server
 * returns such a field always. Exists only in types; `defineResource` adds it.
 */
export interface Written<Spec, Status> {
  readonly [written]?: { spec: Spec; status: Status };
}

/** The fields beside apiVersion, kind and metadata, as clients write them. */
export type ContentOf<T> = typeof written extends keyof T
  ? NonNullable<T[typeof written]>
  : Omit<T, keyof KubeObject>;

/** True if `defineResource` made the type: the API server merges its lists only by server-side apply. */
export type IsCustom<T> = typeof written extends keyof T ? true : false;

/** Metadata of a request, without the fields that only the server sets. */
export type NewMeta = {
  [P in Exclude<keyof ObjectMeta, "uid" | "resourceVersion" | "creationTimestamp">]?:
    | ObjectMeta[P]
    | undefined;
};

type NewContent<T> =
  IsCustom<T> extends true
    ? NewCustom<ContentOf<T>>
    : Omit<T, keyof KubeObject | "spec" | "status"> & NewSpec<T>;

type NewCustom<C> = C extends { spec: infer Spec }
  ? undefined extends Spec
    ? { spec?: Spec }
    : { spec: Spec }
  : never;

type NewSpec<T> = "spec" extends keyof T
  ? Record<never, never> extends Required<T>["spec"]
    ? { spec?: T["spec"] | undefined }
    : Pick<T, "spec">
  : unknown;

export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [P in keyof T]?: DeepPartial<T[P]> | undefined }
    : T;

export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
    : T;

/**
 * A frozen object that all readers share. Functions that take a `T` accept it. The compiler rejects an assignment to
 * its fields; a function that changes it in another way, such as `push` or `sort` of a list, throws a `TypeError` when
 * it runs.
 */
export type Frozen<T> = T extends readonly (infer E)[]
  ? Frozen<E>[]
  : T extends object
    ? { readonly [P in keyof T]: Frozen<T[P]> }
    : T;
