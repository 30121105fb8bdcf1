import type { Patch, Subresource, SubresourceBody } from "../client/index.ts";

type Options = Parameters<Subresource<unknown>["patch"]>[1];

/** Called before a write is sent. Returns what is called with its response. Neither may throw. */
export type OnWrite = () => (response: unknown) => void;

/** A subresource that reports its writes, but for dry runs. */
export class WrittenPart<S> implements Subresource<S> {
  readonly #part: Subresource<S>;
  readonly #onWrite: OnWrite;

  constructor(part: Subresource<S>, onWrite: OnWrite) {
    this.#part = part;
    this.#onWrite = onWrite;
  }

  get(...args: Parameters<Subresource<S>["get"]>): Promise<S> {
    return this.#part.get(...args);
  }

  create(body?: SubresourceBody<S>, options?: Options): ReturnType<Subresource<S>["create"]> {
    return this.#write(() => this.#part.create(body, options), options);
  }

  update(body: S, options?: Options): Promise<S> {
    return this.#write(() => this.#part.update(body, options), options);
  }

  patch(patch: Patch, options?: Options): Promise<S> {
    return this.#write(() => this.#part.patch(patch, options), options);
  }

  apply(...[body, options]: Parameters<Subresource<S>["apply"]>): Promise<S> {
    return this.#write(() => this.#part.apply(body, options), options);
  }

  async #write<A>(send: () => Promise<A>, options: Options): Promise<A> {
    if (options?.dryRun) return send();
    const take = this.#onWrite();
    const response = await send();
    take(response);
    return response;
  }
}
