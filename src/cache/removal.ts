import { compareResourceVersions, type ObjectMeta } from "../api/index.ts";

/** Why versions of an object that are still in the store are not read any more. */
export type Removal =
  /** An own write moved it out of the view with this version. */
  | { readonly type: "moved"; readonly resourceVersion: string }
  /** The server removed the object with this uid. */
  | (ByUid & { readonly type: "removed" })
  /**
   * The same, by a `Status` alone. A kube-apiserver sends one only for an object that it removed at once: a version with
   * a deletionTimestamp shows that the object stays after all.
   */
  | (ByUid & { readonly type: "deleted" });

interface ByUid {
  readonly uid: string;
  /** One that the object had, if any is known. */
  readonly resourceVersion: string | undefined;
  /**
   * Number of bookmarks and lists that the store has received since. The version of the deletion is unknown: if a
   * restored etcd has undone it, nothing but time shows that.
   */
  checkpoints: number;
}

/**
 * The first bookmark or list may be older than the response to the delete. A server sends one bookmark a minute, so the
 * second is not: an object that is in the store then does exist.
 */
export const lastCheckpoint = 2;

/** One version of an object. Its metadata is only looked at if need be. */
export interface Version {
  readonly resourceVersion: string;
  metadata(): Pick<ObjectMeta, "uid" | "deletionTimestamp">;
}

/** Whether this version is one of those that do not exist any more. */
export function isRemovedBy(gone: Removal, version: Version): boolean {
  if (gone.resourceVersion !== undefined && isOlder(version.resourceVersion, gone.resourceVersion))
    return true;
  switch (gone.type) {
    case "moved":
      return false;
    case "removed":
      return version.metadata().uid === gone.uid;
    case "deleted": {
      const { uid, deletionTimestamp } = version.metadata();
      return uid === gone.uid && deletionTimestamp === undefined;
    }
  }
}

/** Whether one resource version is older than another. False if they have no order. */
export function isOlder(version: string, than: string): boolean {
  try {
    return compareResourceVersions(version, than) < 0;
  } catch {
    return false; // not known to be older
  }
}
