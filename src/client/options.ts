import type { DeepReadonly, KubeObject, ObjectKey, Owner } from "../api/index.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface GetOptions extends CallOptions {
  /**
   * Minimum resource version of the result. `"0"` accepts any version in the server's cache. @default the most recent
   */
  readonly resourceVersion?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** True to validate and default the object without storing it. @default false */
  readonly dryRun?: boolean | undefined;
  /** The field manager of this write. @default the client's */
  readonly fieldManager?: string | undefined;
  /** How the server handles unknown and duplicate fields. @default the server's: Warn */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
  /** Writes only this subresource of the object. */
  readonly subresource?: "status" | (string & {}) | undefined;
  /** Called with the body of a successful response before it is parsed. For caches, which store bytes. */
  readonly onResponseBody?: ((body: Buffer) => void) | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** Becomes the controlling owner of the object. */
  readonly owner?: Owner | undefined;
}

export interface ApplyOptions extends Omit<CreateOptions, "fieldValidation"> {
  /** True to take ownership of fields from other field managers. @default false */
  readonly force?: boolean | undefined;
  /**
   * Former field managers of this writer, whose fields it takes over. If one of them still owns fields of the object
   * (in the same subresource, with Apply or Update), a second request moves them, and a third applies again, so that
   * fields that are no longer applied are removed. Their `metadata.finalizers` stay, without an owner. Moving needs the
   * permission to patch the object, even for a status. It is skipped in a dry run.
   * @default the client's
   */
  readonly takeOver?: readonly string[] | undefined;
}

export interface ApplyStatusOptions extends Omit<ApplyOptions, "owner" | "subresource"> {
  /**
   * The newest object that the caller has read. Its conditions keep their `lastTransitionTime`.
   * @default read from the server, if a condition has no `lastTransitionTime`
   */
  readonly current?: DeepReadonly<KubeObject> | undefined;
}

export interface FieldManagerOptions {
  /** The `takeOver` of every apply and applyStatus without its own field manager. @default none */
  readonly takeOver?: readonly string[] | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Deletes only the object with this uid. */
  readonly uid?: string | undefined;
  /** Deletes the object only if it has this resource version. */
  readonly resourceVersion?: string | undefined;
  /** Deletion propagation to dependents. @default the kind's, usually Background */
  readonly propagation?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Grace period. @default the kind's: 30 for Pods, none for most kinds */
  readonly graceSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** Called with the body of a successful response before it is parsed. For caches, which store bytes. */
  readonly onResponseBody?: ((body: Buffer) => void) | undefined;
}

export interface DeleteAllOptions
  extends Pick<ListOptions, "namespace" | "labels" | "fields">,
    DeleteOptions {}

export interface ListOptions extends CallOptions {
  /** @default all, or the client's if it is restricted to one */
  readonly namespace?: string | undefined;
  /** Label selector: equality pairs, or a selector string such as `"tier in (web, api), !canary"`. */
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly fields?: Readonly<Record<string, string>> | string | undefined;
  /** Objects per page. @default 500 */
  readonly pageSize?: number | undefined;
  /** Minimum resource version of the list, or the exact one with `resourceVersionMatch`. @default the most recent */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /**
   * True to include `metadata.managedFields`. Without them reading takes half the time, and an update without them does
   * not change them. @default false
   */
  readonly managedFields?: boolean | undefined;
  /** Called after every page. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

export interface ListProgress {
  /** Objects received so far. */
  readonly loaded: number;
  /** Remaining objects. `undefined` if the server does not report it, as with selectors. */
  readonly remaining: number | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Remaining objects after this page. `undefined` if the server does not report it, as with selectors. */
  readonly remaining: number | undefined;
  /** Resource version of the list. A watch can start from it. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Omit<ListOptions, "resourceVersion" | "resourceVersionMatch"> {
  /**
   * Delivers only changes after this resource version. `"0"` delivers the existing objects from the server's cache,
   * then changes.
   * @default the most recent objects, then changes
   */
  readonly resourceVersion?: string | undefined;
  /** Called when the watch reconnects, with the error that ended the last connection, if there was one. */
  readonly onReconnect?: ((cause: Error | undefined) => void) | undefined;
}

export type WatchEvent<T> =
  | {
      readonly type: "added" | "modified" | "deleted";
      readonly key: ObjectKey;
      readonly resourceVersion: string;
      /** Parsed on first access, so that a reader of only the key does not pay for it. */
      readonly object: T;
    }
  | { readonly type: "bookmark"; readonly resourceVersion: string };

export interface MigrateOptions extends CallOptions {
  /** Objects per page of the list. @default 500 */
  readonly pageSize?: number | undefined;
  /** Maximum number of objects that are rewritten at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Called before the first object and after every object. */
  readonly onProgress?: ((progress: MigrateProgress) => void) | undefined;
}

export interface MigrateProgress {
  /** Objects that are done. */
  readonly migrated: number;
  /** All objects of the kind at the start. */
  readonly total: number;
}

/** The result of a migration. */
export interface Migration {
  readonly storageVersion: string;
  /** Objects that were rewritten, or that other clients wrote or deleted in the meantime. */
  readonly migrated: number;
  /**
   * The versions that were removed from `status.storedVersions` of the definition. Empty if there was nothing to do.
   */
  readonly removedVersions: readonly string[];
}
