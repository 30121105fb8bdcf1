import type { Patch, Subresource, SubresourceBody } from "../client/index.ts";

type Options = Parameters<Subresource<unknown>["patch"]>[1];

/** Called before a write is sent. Returns a callback for the response. Neither may throw. */
export type OnWrite = () => (response: unknown) => void;

/** A subresource that reports its writes, except dry runs. */
export class ReportingSubresource<S> implements Subresource<S> {
  readonly #subresource: Subresource<S>;
  readonly #onWrite: OnWrite;

  constructor(subresource: Subresource<S>, onWrite: OnWrite) {
    this.#subresource = subresource;
    this.#onWrite = onWrite;
  }

  get(...args: Parameters<Subresource<S>["get"]>): Promise<S> {
    return this.#subresource.get(...args);
  }

  create(body?: SubresourceBody<S>, options?: Options): ReturnType<Subresource<S>["create"]> {
    return this.#write(() => this.#subresource.create(body, options), options);
  }

  update(body: S, options?: Options): Promise<S> {
    return this.#write(() => this.#subresource.update(body, options), options);
  }

  patch(patch: Patch<S>, options?: Options): Promise<S> {
    return this.#write(() => this.#subresource.patch(patch, options), options);
  }

  apply(...[body, options]: Parameters<Subresource<S>["apply"]>): Promise<S> {
    return this.#write(() => this.#subresource.apply(body, options), options);
  }

  async #write<A>(send: () => Promise<A>, options: Options): Promise<A> {
    if (options?.dryRun) return send();
    const onResponse = this.#onWrite();
    const response = await send();
    onResponse(response);
    return response;
  }
}
