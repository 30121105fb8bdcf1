import type { Patch, Subresource, SubresourceBody } from "../client/index.ts";

type Options = Parameters<Subresource<unknown>["patch"]>[1];

/** A part of an object, and somebody who is told, and waited for, when it was written: with the answer. */
export class WrittenPart<S> implements Subresource<S> {
  readonly #part: Subresource<S>;
  readonly #wrote: (answer: unknown) => Promise<void>;

  constructor(part: Subresource<S>, wrote: (answer: unknown) => Promise<void>) {
    this.#part = part;
    this.#wrote = wrote;
  }

  get(...args: Parameters<Subresource<S>["get"]>): Promise<S> {
    return this.#part.get(...args);
  }

  create(body?: SubresourceBody<S>, options?: Options): ReturnType<Subresource<S>["create"]> {
    return this.#told(this.#part.create(body, options), options);
  }

  update(body: S, options?: Options): Promise<S> {
    return this.#told(this.#part.update(body, options), options);
  }

  patch(patch: Patch, options?: Options): Promise<S> {
    return this.#told(this.#part.patch(patch, options), options);
  }

  apply(...[body, options]: Parameters<Subresource<S>["apply"]>): Promise<S> {
    return this.#told(this.#part.apply(body, options), options);
  }

  async #told<A>(answering: Promise<A>, options: Options): Promise<A> {
    const answer = await answering;
    if (!options?.dryRun) await this.#wrote(answer);
    return answer;
  }
}

/** The resource version of the object that was written to, where the response has it. */
export function versionOf(answer: unknown): string | undefined {
  const { metadata } = answer as { readonly metadata?: { readonly resourceVersion?: string } };
  return metadata?.resourceVersion || undefined;
}
