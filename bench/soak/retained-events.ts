import type { ConfigMap } from "trimtab/api/core/v1";
import type { ObjectEvent } from "trimtab/cache";
import { below, type Chance } from "./chance.ts";

/** A handler that retains one event in a thousand for the whole soak, and reads some of them much later. */
export class RetainedEvents {
  readonly #kept: Kept[] = [];
  #seen = 0;

  readonly handle = (event: ObjectEvent<ConfigMap>): void => {
    this.#seen += 1;
    if (this.#seen % 1000 !== 0) return;
    this.#kept.push({ event, write: event.object.data?.write });
  };

  get count(): number {
    return this.#kept.length;
  }

  /** Reads a few events. Throws if one has changed since it was delivered. */
  check(chance: Chance): void {
    for (let left = Math.min(10, this.#kept.length); left > 0; left--) {
      const kept = this.#kept[below(chance, this.#kept.length)];
      if (!kept) return;
      const { event, write } = kept;
      const { metadata, data } = event.object;
      if (metadata.resourceVersion !== event.resourceVersion || data?.write !== write)
        throw new Error(`expected a retained event of ${event.key} to stay the same, got another object`);
    }
  }
}

interface Kept {
  readonly event: ObjectEvent<ConfigMap>;
  /** The JSON of its object at delivery. */
  readonly write: string | undefined;
}
