import type { KubeObject, ObjectMeta } from "./object.ts";

/**
 * What a person writes to create an object: apiVersion and kind come from the `Kind`, the server fills the rest.
 * `spec` may be left out where an empty one is legal.
 */
export type New<T extends KubeObject> = Omit<T, "apiVersion" | "kind" | "metadata" | "spec" | "status"> &
  Partial<Pick<T, "apiVersion" | "kind">> &
  NewSpec<T> & { metadata: NewMeta };

/** What a person writes to apply: the fields they want to own, at any depth. */
export type Draft<T extends KubeObject> = DeepPartial<Omit<T, "apiVersion" | "kind" | "metadata">> & {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: DeepReadonly<NewMeta> & { readonly name: string };
};

/** Metadata on the way in: without what only the server can give. */
export type NewMeta = {
  [P in Exclude<keyof ObjectMeta, "uid" | "resourceVersion" | "creationTimestamp">]?:
    | ObjectMeta[P]
    | undefined;
};

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
