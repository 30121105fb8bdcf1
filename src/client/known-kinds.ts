import type { AnyKind, Kind, KubeObject } from "../api/index.ts";
import { unlessAborted } from "../base/index.ts";

/**
 * Plural and scope of the kinds that had to be looked up, each once: calls made while a lookup is under way share it.
 * A failed lookup is repeated by the next call.
 */
export class KnownKinds {
  readonly #lookups = new Map<AnyKind, Lookup>();

  /** @param lookUp belongs to no call: aborting one call does not end the lookup that another call waits for */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    lookUp: () => Promise<Kind<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Kind<T>> {
    const { answer } = this.#lookups.get(kind) ?? this.#start(kind, lookUp);
    return unlessAborted(answer as Promise<Kind<T>>, signal); // stored under this very kind
  }

  /** Looks the kind up again with the next `get`, unless that has happened since `stale` was returned. */
  forget(kind: AnyKind, stale: Kind): void {
    if (this.#lookups.get(kind)?.found === stale) this.#lookups.delete(kind);
  }

  #start<T extends KubeObject>(kind: AnyKind<T>, lookUp: () => Promise<Kind<T>>): Lookup {
    const lookup: Lookup = { answer: lookUp(), found: undefined };
    this.#lookups.set(kind, lookup);
    lookup.answer.then(
      (found) => {
        lookup.found = found;
      },
      () => this.#lookups.delete(kind), // reported to every call that waits for the answer
    );
    return lookup;
  }
}

interface Lookup {
  readonly answer: Promise<Kind>;
  /** Set once the answer is there. */
  found: Kind | undefined;
}
