import type { KubeObject, PartialObject, Unstructured } from "./object.ts";

/**
 * A kind by its name. It carries the type `T` of its objects.
 *
 * Accept this type if discovery may resolve the kind, because a path needs plural and scope. Accept `Kind` if both must
 * be known. Every `Kind` is an `AnyKind`; `isDiscovered` distinguishes them.
 */
export interface AnyKind<T extends KubeObject = KubeObject> {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** True if only metadata is read and written: see `metadataOnly`. */
  readonly metadataOnly?: true | undefined;
  /**
   * True if `defineResource` declared the kind in this program. Every other kind (built-in, `kind()`, types of another
   * program's CRD) is shared with other programs.
   */
  readonly definedHere?: true | undefined;
  /** Carries `T` for type inference. Exists only in types. */
  readonly object?: T;
}

/**
 * A kind with its plural and scope. The value has the same name as its type, so `client.get(Pod, key)` returns a `Pod`
 * without type arguments.
 *
 * There is one value per kind and view in a process, so a kind may be a key of a `Map`. Two separate declarations
 * (`Deployment`, and a `kind()` of the same name) share their `kindName`.
 */
export interface Kind<T extends KubeObject = KubeObject> extends AnyKind<T> {
  /** The resource name in paths: lower case, such as `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The type of a kind's objects. */
export type ObjectOf<K> = K extends AnyKind<infer T> ? T : never;

interface GroupVersionKind {
  /** @default "" (the core group) */
  readonly group?: string | undefined;
  readonly version: string;
  readonly kind: string;
}

/**
 * Returns a kind that is not known at compile time. With `plural` and `namespaced` it is complete; without them the
 * client resolves it by discovery. The same name returns the same value.
 */
export function kind<T extends KubeObject = Unstructured>(
  name: GroupVersionKind & { readonly plural: string; readonly namespaced: boolean },
): Kind<T>;
export function kind<T extends KubeObject = Unstructured>(
  name: GroupVersionKind & { readonly plural?: undefined; readonly namespaced?: undefined },
): AnyKind<T>;
export function kind(
  name: GroupVersionKind & {
    readonly plural?: string | undefined;
    readonly namespaced?: boolean | undefined;
  },
): AnyKind {
  const { group = "", version, kind, plural, namespaced } = name;
  const id = `${group}/${version}/${kind}/${plural}/${namespaced}`;
  const cached = kindsById.get(id);
  if (cached) return cached;
  const created =
    plural === undefined ? { group, version, kind } : { group, version, kind, plural, namespaced };
  kindsById.set(id, created);
  return created;
}

const kindsById = new Map<string, AnyKind>();

/** Returns true if plural and scope are known, so that a path can be built without discovery. */
export function isDiscovered<T extends KubeObject>(kind: AnyKind<T>): kind is Kind<T> {
  return "plural" in kind;
}

/** Returns the view of a kind with only the metadata of its objects, for get, list, watch and patch. */
export function metadataOnly(kind: Kind): Kind<PartialObject>;
export function metadataOnly(kind: AnyKind): AnyKind<PartialObject>;
export function metadataOnly(kind: AnyKind): AnyKind {
  const cached = metadataViews.get(kind);
  if (cached) return cached;
  const view: AnyKind = kind.metadataOnly ? kind : { ...kind, metadataOnly: true };
  metadataViews.set(kind, view);
  return view;
}

const metadataViews = new WeakMap<AnyKind, AnyKind>();

/** Returns the `apiVersion` of objects of the kind: `"v1"`, `"apps/v1"`. */
export function apiVersionOf({ group, version }: Pick<AnyKind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns a unique name of the kind: `"apps/v1 Deployment"`, with the suffix ` metadata` for the metadata view. */
export function kindName(kind: AnyKind): string {
  const cached = names.get(kind);
  if (cached !== undefined) return cached;
  const name = `${apiVersionOf(kind)} ${kind.kind}${kind.metadataOnly ? " metadata" : ""}`;
  names.set(kind, name);
  return name;
}

const names = new WeakMap<AnyKind, string>();
