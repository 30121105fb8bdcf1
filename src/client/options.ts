import type { ObjectKey, Owner } from "../api/index.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface GetOptions extends CallOptions {
  /** At least as new as this. `"0"`: whatever the server has at hand. @default the newest */
  readonly resourceVersion?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Checked, defaulted, answered, and not stored. @default false */
  readonly dryRun?: boolean | undefined;
  /** Owns the fields that are written. @default the client's */
  readonly fieldManager?: string | undefined;
  /** What becomes of unknown and duplicate fields. @default the server's: Warn */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
  /** Writes this part of the object alone. */
  readonly subresource?: "status" | (string & {}) | undefined;
  /** Told of the object in the answer, as it came, before it is parsed: for caches, which keep bytes. */
  readonly onResponseBody?: ((body: Buffer) => void) | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** Made the controller of the object. */
  readonly owner?: Owner | undefined;
}

export interface ApplyOptions extends Omit<CreateOptions, "fieldValidation"> {
  /** Takes fields from other managers. @default false */
  readonly force?: boolean | undefined;
  /**
   * Field managers whose fields become this one's: names that this writer had before. If one of them, applying or updating, still
   * has fields of the object (of the same subresource), they are moved in a second request, and a third applies again, so that
   * fields that are no longer applied disappear. Their `metadata.finalizers` stay, owned by none. Moving needs the permission to
   * patch the object, also for a status. Not done in a dry run.
   * @default those of the client
   */
  readonly takeOver?: readonly string[] | undefined;
}

export interface FieldManagerOptions {
  /** The `takeOver` of every apply and applyStatus that names no field manager of its own. @default none */
  readonly takeOver?: readonly string[] | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Only the object with this uid. */
  readonly uid?: string | undefined;
  /** Only in this version. */
  readonly resourceVersion?: string | undefined;
  /** What becomes of what it owns. @default the kind's own, mostly Background */
  readonly propagation?: "Background" | "Foreground" | "Orphan" | undefined;
  /** @default the kind's own: 30 for Pods, none for most */
  readonly graceSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** Called with the body of a successful response before it is parsed: for caches, which keep bytes. */
  readonly onResponseBody?: ((body: Buffer) => void) | undefined;
}

export interface DeleteAllOptions
  extends Pick<ListOptions, "namespace" | "labels" | "fields">,
    DeleteOptions {}

export interface ListOptions extends CallOptions {
  /** @default all, or the client's where it is kept to one */
  readonly namespace?: string | undefined;
  /** Equality pairs, or the full selector language as text: `"tier in (web, api), !canary"`. */
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly fields?: Readonly<Record<string, string>> | string | undefined;
  /** Objects asked for at a time. @default 500 */
  readonly pageSize?: number | undefined;
  /** At least as new as this, or exactly this with `resourceVersionMatch`. @default the newest */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /**
   * With `metadata.managedFields`: who set which field. Left out they save half the work of reading, and an update
   * without them does not change them. @default false
   */
  readonly managedFields?: boolean | undefined;
  /** Told after every page. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

export interface ListProgress {
  /** Objects so far. */
  readonly loaded: number;
  /** Objects to come. `undefined` where the server does not say, as with selectors. */
  readonly remaining: number | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Objects after this page. `undefined` where the server does not say, as with selectors. */
  readonly remaining: number | undefined;
  /** Of the whole list: watch from here. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Omit<ListOptions, "resourceVersion" | "resourceVersionMatch"> {
  /**
   * Only what changed since this version. `"0"`: what exists as the server has it at hand, then what changes.
   * @default what exists now, then what changes
   */
  readonly resourceVersion?: string | undefined;
  /** Told when the connection was lost and is sought again, with what ended it, if anything did. */
  readonly onReconnect?: ((cause: Error | undefined) => void) | undefined;
}

export type WatchEvent<T> =
  | {
      readonly type: "added" | "modified" | "deleted";
      readonly key: ObjectKey;
      readonly resourceVersion: string;
      /** Parsed when it is first looked at: who needs the key alone pays for no more. */
      readonly object: T;
    }
  | { readonly type: "bookmark"; readonly resourceVersion: string };

/** A change to an object: RFC 6902 steps, a merge (RFC 7396), or Kubernetes' own merge, which knows lists' keys. */
export type Patch =
  | { readonly json: readonly JsonPatchStep[] }
  | { readonly merge: object }
  | { readonly strategic: object };

export type JsonPatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };
