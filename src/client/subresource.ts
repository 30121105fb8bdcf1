import type { ObjectKey, Status } from "../api/index.ts";
import type { TokenRequest } from "../api/types/authentication/v1.ts";
import type { Scale } from "../api/types/autoscaling/v1.ts";
import type { Binding } from "../api/types/core/v1.ts";
import type { Eviction } from "../api/types/policy/v1.ts";
import { applyType, patchBody } from "./body.ts";
import type { Calls } from "./calls.ts";
import type { CallOptions, Patch, WriteOptions } from "./options.ts";
import { partPath } from "./resource-path.ts";

/** The parts of objects that have a shape of their own. */
export interface Subresources {
  scale: Scale;
  eviction: Eviction;
  binding: Binding;
  token: TokenRequest;
}

/** One such part of one object. Which verbs it has is the server's to say. */
export interface Subresource<S> {
  get(options?: CallOptions): Promise<S>;
  /** Asks for it to be done: evictions and bindings answer with a `Status`. */
  create(
    body?: SubresourceBody<S>,
    options?: SubresourceOptions,
  ): Promise<S extends Eviction | Binding ? Status : S>;
  update(body: S, options?: SubresourceOptions): Promise<S>;
  patch(patch: Patch, options?: SubresourceOptions): Promise<S>;
  /** Owns the fields given, as `Client.apply` does. */
  apply(body: SubresourceBody<S>, options?: SubresourceApplyOptions): Promise<S>;
}

/** What a person writes: the names are those of the object. */
export type SubresourceBody<S> = {
  readonly [P in Exclude<keyof S, "apiVersion" | "kind" | "metadata">]?: S[P] | undefined;
};

export type SubresourceOptions = Omit<WriteOptions, "subresource">;

export interface SubresourceApplyOptions extends SubresourceOptions {
  /** Takes fields from other managers. @default false */
  readonly force?: boolean | undefined;
}

/** Where an object is; known once its kind is. */
export interface Place {
  readonly path: string;
  readonly key: ObjectKey;
}

/** A part of the object at the place that `locate` finds. */
export class ObjectPart<N extends keyof Subresources> implements Subresource<Subresources[N]> {
  readonly #name: N;
  readonly #calls: Calls;
  readonly #locate: (options: CallOptions) => Promise<Place>;

  constructor(name: N, calls: Calls, locate: (options: CallOptions) => Promise<Place>) {
    this.#name = name;
    this.#calls = calls;
    this.#locate = locate;
  }

  async get(options: CallOptions = {}): Promise<Subresources[N]> {
    const { path } = await this.#locate(options);
    return this.#calls.call("GET", partPath(path, this.#name), { options });
  }

  async create<R>(body: SubresourceBody<Subresources[N]> = {}, options: SubresourceOptions = {}): Promise<R> {
    const { path, key } = await this.#locate(options);
    return this.#calls.write("POST", path, {
      options,
      subresource: this.#name,
      body: this.#body(key, body),
    });
  }

  async update(body: Subresources[N], options: SubresourceOptions = {}): Promise<Subresources[N]> {
    const { path } = await this.#locate(options);
    return this.#calls.write("PUT", path, {
      options,
      subresource: this.#name,
      body: JSON.stringify(body),
    });
  }

  async patch(patch: Patch, options: SubresourceOptions = {}): Promise<Subresources[N]> {
    const { path } = await this.#locate(options);
    const { body, type } = patchBody(patch);
    return this.#calls.write("PATCH", path, { options, subresource: this.#name, body, type });
  }

  async apply(
    draft: SubresourceBody<Subresources[N]>,
    options: SubresourceApplyOptions = {},
  ): Promise<Subresources[N]> {
    const { path, key } = await this.#locate(options);
    const body = this.#body(key, draft);
    return this.#calls.write("PATCH", path, { options, subresource: this.#name, body, type: applyType });
  }

  #body(key: ObjectKey, body: object): string {
    return JSON.stringify({ ...shapes[this.#name], metadata: key, ...body });
  }
}

const shapes = {
  scale: { apiVersion: "autoscaling/v1", kind: "Scale" },
  eviction: { apiVersion: "policy/v1", kind: "Eviction" },
  binding: { apiVersion: "v1", kind: "Binding" },
  token: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
} as const satisfies Record<keyof Subresources, object>;
