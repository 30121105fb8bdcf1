import { type AnyKind, kindName } from "../api/index.ts";

/**
 * A synchronous read of a cache whose first list is not complete: it would say of objects that exist that they are
 * absent. Await `ready` of the manager, or of what `manager.add` returned, or read with the client, which asks the server until then.
 */
export class CacheNotSyncedError extends Error {
  override readonly name: string = "CacheNotSyncedError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind) {
    super(
      `the cache of ${kindName(kind)} has not synced; await the manager's \`ready\` first, ` +
        "or read with the client, which asks the server until then",
    );
    this.kind = kind;
  }
}
