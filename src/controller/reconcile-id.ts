import { type LogFields, type Rng, uuid } from "../base/index.ts";

/**
 * Identifies one reconcile in logs and traces. The id is generated on first use, because most reconciles never need it.
 */
export class ReconcileId {
  readonly #rng: Rng;
  #text: string | undefined;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  get text(): string {
    this.#text ??= uuid(this.#rng);
    return this.#text;
  }

  /** Returns the log fields of the reconcile of `key`. */
  fields(key: string): LogFields {
    const id = this;
    return {
      key,
      get reconcileId() {
        return id.text;
      },
    };
  }
}
