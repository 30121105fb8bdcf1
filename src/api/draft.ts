import type { KubeObject, ObjectMeta } from "./object.ts";

/**
 * The input of a create: apiVersion and kind come from the `Kind`, and the server sets the rest. `spec` is optional if
 * an empty one is valid.
 */
export type New<T extends KubeObject> = Omit<T, "apiVersion" | "kind" | "metadata" | "spec" | "status"> &
  Partial<Pick<T, "apiVersion" | "kind">> &
  NewSpec<T> & { metadata: NewMeta };

/** An apply configuration: the fields that the field manager wants to own, at any depth. */
export type Draft<T extends KubeObject> = DeepPartial<Omit<T, "apiVersion" | "kind" | "metadata">> & {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: DeepReadonly<NewMeta> & { readonly name: string };
};

/** Metadata of a request, without the fields that only the server sets. */
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
