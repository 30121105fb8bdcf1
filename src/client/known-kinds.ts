import type { AnyKind, Kind, KubeObject } from "../api/index.ts";
import { unlessAborted } from "../base/index.ts";

/**
 * Caches the plural and scope of kinds that were resolved on the server. Concurrent calls share one lookup, and a
 * failed lookup is repeated by the next call.
 */
export class KnownKinds {
  readonly #lookups = new Map<AnyKind, Lookup>();

  /**
   * @param resolve looks the kind up. It has no signal, because aborting one call must not end a lookup that others
   * share
   */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    resolve: () => Promise<Kind<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Kind<T>> {
    const { result } = this.#lookups.get(kind) ?? this.#start(kind, resolve);
    return unlessAborted(result as Promise<Kind<T>>, signal); // the map's key is the kind
  }

  /** Makes the next `get` resolve the kind again, unless that has happened since `stale` was returned. */
  forget(kind: AnyKind, stale: Kind): void {
    if (this.#lookups.get(kind)?.found === stale) this.#lookups.delete(kind);
  }

  #start<T extends KubeObject>(kind: AnyKind<T>, resolve: () => Promise<Kind<T>>): Lookup {
    const lookup: Lookup = { result: resolve(), found: undefined };
    this.#lookups.set(kind, lookup);
    lookup.result.then(
      (found) => {
        lookup.found = found;
      },
      () => this.#lookups.delete(kind), // every waiting call gets the error
    );
    return lookup;
  }
}

interface Lookup {
  readonly result: Promise<Kind>;
  /** The resolved kind, once the lookup has succeeded. */
  found: Kind | undefined;
}
