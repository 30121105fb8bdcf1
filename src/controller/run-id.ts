import { type LogFields, type Rng, uuid } from "../base/index.ts";

/** Tells one reconcile from all others. It is drawn when somebody looks at it: of most nobody does. */
export class RunId {
  readonly #rng: Rng;
  #text: string | undefined;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  get text(): string {
    this.#text ??= uuid(this.#rng);
    return this.#text;
  }

  /** What stands on every line of the reconcile of `key`. */
  fields(key: string): LogFields {
    const id = this;
    return {
      key,
      get reconcile() {
        return id.text;
      },
    };
  }
}
