import type { KubeObject, PartialObject, Unstructured } from "./object.ts";

/**
 * A kind by its name: all that code needs to ask for objects and be given a `T`.
 *
 * Take this where a kind may still have to be looked up at the server (its path needs plural and scope), and `Kind`
 * where it must be known. Every `Kind` is one of these; `isDiscovered` tells which of the two a value is.
 */
export interface AnyKind<T extends KubeObject = KubeObject> {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Only metadata is read and written: see `metadataOnly`. */
  readonly metadataOnly?: true | undefined;
  /**
   * `defineResource` declared the kind in this program. Every other kind (built-in, `kind()`, types of another
   * program's CRD) is shared with other programs.
   */
  readonly definedHere?: true | undefined;
  /** Carries `T` for inference. Exists in types only. */
  readonly object?: T;
}

/**
 * A kind as a value, with where the server keeps it. It shares its type's name, so `client.get(Pod, key)` is a `Pod`
 * with no angle brackets.
 *
 * Kinds are single: one value per kind and view in a process, so a kind may be a key of a `Map`. Two that were
 * written down separately (`Deployment`, and a `kind()` of the same name) share their `kindName`.
 */
export interface Kind<T extends KubeObject = KubeObject> extends AnyKind<T> {
  /** The resource in paths: lower case, like `deployments`. */
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
 * A kind that is not known at compile time. With `plural` and `namespaced` it can be used as it is; without them it
 * is looked up at the server by whoever is given it. The same name gives the same value.
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
  const known = made.get(id);
  if (known) return known;
  const fresh =
    plural === undefined ? { group, version, kind } : { group, version, kind, plural, namespaced };
  made.set(id, fresh);
  return fresh;
}

const made = new Map<string, AnyKind>();

/** Whether plural and scope are known, so that a path can be built without asking the server. */
export function isDiscovered<T extends KubeObject>(kind: AnyKind<T>): kind is Kind<T> {
  return "plural" in kind;
}

/** The same resource with its objects reduced to their metadata, in get, list, watch and patch. */
export function metadataOnly(kind: Kind): Kind<PartialObject>;
export function metadataOnly(kind: AnyKind): AnyKind<PartialObject>;
export function metadataOnly(kind: AnyKind): AnyKind {
  const known = metadataViews.get(kind);
  if (known) return known;
  const view: AnyKind = kind.metadataOnly ? kind : { ...kind, metadataOnly: true };
  metadataViews.set(kind, view);
  return view;
}

const metadataViews = new WeakMap<AnyKind, AnyKind>();

/** What objects of the kind carry as `apiVersion`: `"v1"`, `"apps/v1"`. */
export function apiVersionOf({ group, version }: Pick<AnyKind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The kind as text, equal for equal kinds: `"apps/v1 Deployment"`, and with ` metadata` after it for that view. */
export function kindName(kind: AnyKind): string {
  const known = names.get(kind);
  if (known !== undefined) return known;
  const name = `${apiVersionOf(kind)} ${kind.kind}${kind.metadataOnly ? " metadata" : ""}`;
  names.set(kind, name);
  return name;
}

const names = new WeakMap<AnyKind, string>();
