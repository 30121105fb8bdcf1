import { compareResourceVersions } from "trimtab/api";
import type { ConfigMap } from "trimtab/api/core/v1";
import type { ObjectEvent } from "trimtab/cache";

/** A handler that rebuilds the objects from its events only. */
export class Witness {
  /** Resource versions by key. */
  readonly known = new Map<string, string>();
  events = 0;

  readonly handle = (event: ObjectEvent<ConfigMap>): void => {
    this.events += 1;
    const { key, type } = event;
    const version = event.object.metadata.resourceVersion ?? "";
    const before = this.known.get(key);
    if (type === "deleted") {
      if (!this.known.delete(key)) throw new Error(`expected ${key} to be known when it was deleted`);
      return;
    }
    if ((type === "added") !== (before === undefined))
      throw new Error(
        `expected ${key} to be told as ${before === undefined ? "added" : "updated"}, got ${type}`,
      );
    if (before !== undefined && compareResourceVersions(version, before) < 0)
      throw new Error(`expected ${key} never to return to an older version, got ${version} after ${before}`);
    this.known.set(key, version);
  };
}
