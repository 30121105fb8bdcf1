import type { DecodeFailure } from "../objects/entry-reader.ts";

/**
 * The undecodable objects of one collection. A sink keeps the last version of each that was decoded, until another one
 * is, or the object is deleted.
 */
export class UndecodableObjects {
  readonly #errors = new Map<string, Error>();
  /** Keys of undecodable objects of a list whose `replace` follows. */
  #listed = new Set<string>();

  /** Errors by key. */
  get errors(): ReadonlyMap<string, Error> {
    return this.#errors;
  }

  failed(key: string, { change, error }: Pick<DecodeFailure, "change" | "error">): void {
    if (change === "deleted") this.#errors.delete(key);
    else this.#errors.set(key, error);
    if (change === undefined) this.#listed.add(key);
  }

  /** Called for each decoded version. It makes no key string if all objects are decodable. */
  decoded(object: { readonly key: string }): void {
    if (this.#errors.size > 0) this.#errors.delete(object.key);
  }

  /** Returns the keys of the undecodable objects of a list. They exist, so `replace` must not delete them. */
  takeListed(): readonly string[] {
    const listed = this.#listed;
    this.#listed = new Set();
    for (const key of this.#errors.keys()) if (!listed.has(key)) this.#errors.delete(key);
    return [...listed];
  }
}
