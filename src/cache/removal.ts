import type { ObjectMeta } from "../api/index.ts";
import { isOlder } from "./objects/is-older.ts";

/** The reason why reads skip versions of an object that are still in the store: an own write removed them. */
export type Removal =
  /** This version, an own write, does not match the selectors of the view any more. */
  | { readonly type: "movedOut"; readonly resourceVersion: string }
  /** The server deleted the object with this uid. */
  | (ByUid & { readonly type: "deleted" })
  /**
   * The server responded to the delete with a `Status`, without the object. kube-apiserver does that only for an object
   * that it deletes at once. A version with a deletionTimestamp shows that the object is terminating instead.
   */
  | (ByUid & { readonly type: "presumedDeleted" });

interface ByUid {
  readonly uid: string;
  /** A version that the object had, if one is known. */
  readonly resourceVersion: string | undefined;
  /**
   * Number of bookmarks and lists that the store has received since. The resource version of the deletion is unknown,
   * so only time shows that a restored etcd has undone it.
   */
  checkpoints: number;
}

/**
 * Number of checkpoints after which a removal by uid is dropped. The first bookmark or list may be older than the
 * response to the delete. The second is not, because a server sends one bookmark a minute: an object that is in the
 * store then exists.
 */
export const lastCheckpoint = 2;

/** One version of an object. `metadata` is called only if the resource version does not decide. */
export interface Version {
  readonly resourceVersion: string;
  metadata(): Pick<ObjectMeta, "uid" | "deletionTimestamp">;
}

/** Returns true if the removal applies to this version. */
export function isRemovedBy(removal: Removal, version: Version): boolean {
  if (removal.resourceVersion !== undefined && isOlder(version.resourceVersion, removal.resourceVersion))
    return true;
  switch (removal.type) {
    case "movedOut":
      return false;
    case "deleted":
      return version.metadata().uid === removal.uid;
    case "presumedDeleted": {
      const { uid, deletionTimestamp } = version.metadata();
      return uid === removal.uid && deletionTimestamp === undefined;
    }
  }
}
