import type { ObjectKey, Status, Unstructured } from "../api/index.ts";
import type { TokenRequest } from "../api/types/authentication/v1.ts";
import type { Scale } from "../api/types/autoscaling/v1.ts";
import type { Binding } from "../api/types/core/v1.ts";
import type { Eviction } from "../api/types/policy/v1.ts";
import type { Method } from "../transport/index.ts";
import type { Calls, WriteBody } from "./calls.ts";
import type { CallOptions, WriteOptions } from "./options.ts";
import type { Patch } from "./patch.ts";
import { applyType, jsonBody, patchBody } from "./request-body.ts";
import { subresourcePath } from "./resource-path.ts";

/** The subresources that have their own type. */
export interface Subresources {
  scale: Scale;
  eviction: Eviction;
  binding: Binding;
  token: TokenRequest;
}

/** The name of a subresource. Those of `Subresources` have types. */
export type SubresourceName = keyof Subresources | (string & {});

/** The type of a subresource by its name. */
export type SubresourceOf<N extends string> = N extends keyof Subresources ? Subresources[N] : Unstructured;

/** A client for one subresource of one object. The server determines which verbs it supports. */
export interface Subresource<S> {
  get(options?: CallOptions): Promise<S>;
  /** Creates the subresource. Evictions and bindings return a `Status`. */
  create(
    body?: SubresourceBody<S>,
    options?: SubresourceOptions,
  ): Promise<S extends Eviction | Binding ? Status : S>;
  update(body: S, options?: SubresourceOptions): Promise<S>;
  patch(patch: Patch<S>, options?: SubresourceOptions): Promise<S>;
  /** Applies the given fields and becomes their owner, as `Client.apply` does. */
  apply(body: SubresourceBody<S>, options?: SubresourceApplyOptions): Promise<S>;
}

/**
 * The fields of a subresource without its type and metadata, which the client sets. A subresource that is not one of
 * `Subresources` needs its `apiVersion` and `kind`.
 */
export type SubresourceBody<S> = {
  readonly [P in Exclude<keyof S, "apiVersion" | "kind" | "metadata">]?: S[P] | undefined;
};

export type SubresourceOptions = Omit<WriteOptions, "subresource">;

export interface SubresourceApplyOptions extends SubresourceOptions {
  /** True to take ownership of fields from other field managers. @default false */
  readonly force?: boolean | undefined;
}

/** The path and complete key of an object. */
export interface ObjectLocation {
  readonly path: string;
  readonly key: ObjectKey;
}

/** Sends a request for an object, and retries once if the path of its kind has changed. */
export type SendToObject = <R>(
  options: CallOptions,
  send: (place: ObjectLocation) => Promise<R>,
) => Promise<R>;

/** The implementation of `Subresource`. */
export class SubresourceClient<N extends string> implements Subresource<SubresourceOf<N>> {
  readonly #name: N;
  readonly #calls: Calls;
  readonly #at: SendToObject;

  constructor(name: N, calls: Calls, at: SendToObject) {
    this.#name = name;
    this.#calls = calls;
    this.#at = at;
  }

  async get(options: CallOptions = {}): Promise<SubresourceOf<N>> {
    return this.#at(options, ({ path }) =>
      this.#calls.call("GET", subresourcePath(path, this.#name), { options }),
    );
  }

  async create<R>(
    body: SubresourceBody<SubresourceOf<N>> = {},
    options: SubresourceOptions = {},
  ): Promise<R> {
    return this.#write("POST", options, (key) => ({ body: this.#body(key, body) }));
  }

  async update(body: SubresourceOf<N>, options: SubresourceOptions = {}): Promise<SubresourceOf<N>> {
    return this.#write("PUT", options, () => ({ body: jsonBody(body) }));
  }

  async patch(patch: Patch<SubresourceOf<N>>, options: SubresourceOptions = {}): Promise<SubresourceOf<N>> {
    return this.#write("PATCH", options, () => patchBody(patch));
  }

  async apply(
    draft: SubresourceBody<SubresourceOf<N>>,
    options: SubresourceApplyOptions = {},
  ): Promise<SubresourceOf<N>> {
    return this.#write("PATCH", options, (key) => ({ body: this.#body(key, draft), type: applyType }));
  }

  #write<R>(
    method: Method,
    options: SubresourceOptions,
    bodyFor: (key: ObjectKey) => Pick<WriteBody, "body" | "type">,
  ): Promise<R> {
    const subresource = this.#name;
    return this.#at(options, ({ path, key }) =>
      this.#calls.write<R>(method, path, { options, subresource, ...bodyFor(key) }),
    );
  }

  #body(key: ObjectKey, body: object): string {
    return jsonBody({ ...shapes.get(this.#name), metadata: key, ...body });
  }
}

const typed = {
  scale: { apiVersion: "autoscaling/v1", kind: "Scale" },
  eviction: { apiVersion: "policy/v1", kind: "Eviction" },
  binding: { apiVersion: "v1", kind: "Binding" },
  token: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
} as const satisfies Record<keyof Subresources, object>;

const shapes: ReadonlyMap<string, object> = new Map(Object.entries(typed));
