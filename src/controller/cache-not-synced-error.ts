import { type AnyKind, kindName } from "../api/index.ts";

/**
 * Thrown by a synchronous read of a cache that has not synced: the read would miss objects that exist. Await `ready` of
 * the manager or of the handle that `manager.add` returned, or read with the client, which reads from the server until
 * then.
 */
export class CacheNotSyncedError extends Error {
  override readonly name: string = "CacheNotSyncedError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind) {
    super(
      `the cache of ${kindName(kind)} has not synced; await the manager's \`ready\` first, ` +
        "or read with the client, which reads from the server until then",
    );
    this.kind = kind;
  }
}
