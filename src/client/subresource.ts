import type { ObjectKey, Status } from "../api/index.ts";
import type { TokenRequest } from "../api/types/authentication/v1.ts";
import type { Scale } from "../api/types/autoscaling/v1.ts";
import type { Binding } from "../api/types/core/v1.ts";
import type { Eviction } from "../api/types/policy/v1.ts";
import type { Method } from "../transport/index.ts";
import { applyType, patchBody } from "./body.ts";
import type { Calls, WriteBody } from "./calls.ts";
import { jsonBody } from "./json-body.ts";
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

/** Where an object is. Known once its kind is. */
export interface Place {
  readonly path: string;
  readonly key: ObjectKey;
}

/** Sends a request to the place of an object, and once more if its kind has moved. */
export type SendToObject = <R>(options: CallOptions, send: (place: Place) => Promise<R>) => Promise<R>;

/** A part of the object at a place. */
export class SubresourceClient<N extends keyof Subresources> implements Subresource<Subresources[N]> {
  readonly #name: N;
  readonly #calls: Calls;
  readonly #at: SendToObject;

  constructor(name: N, calls: Calls, at: SendToObject) {
    this.#name = name;
    this.#calls = calls;
    this.#at = at;
  }

  async get(options: CallOptions = {}): Promise<Subresources[N]> {
    return this.#at(options, ({ path }) => this.#calls.call("GET", partPath(path, this.#name), { options }));
  }

  async create<R>(body: SubresourceBody<Subresources[N]> = {}, options: SubresourceOptions = {}): Promise<R> {
    return this.#write("POST", options, (key) => ({ body: this.#body(key, body) }));
  }

  async update(body: Subresources[N], options: SubresourceOptions = {}): Promise<Subresources[N]> {
    return this.#write("PUT", options, () => ({ body: jsonBody(body) }));
  }

  async patch(patch: Patch, options: SubresourceOptions = {}): Promise<Subresources[N]> {
    return this.#write("PATCH", options, () => patchBody(patch));
  }

  async apply(
    draft: SubresourceBody<Subresources[N]>,
    options: SubresourceApplyOptions = {},
  ): Promise<Subresources[N]> {
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
    return jsonBody({ ...shapes[this.#name], metadata: key, ...body });
  }
}

const shapes = {
  scale: { apiVersion: "autoscaling/v1", kind: "Scale" },
  eviction: { apiVersion: "policy/v1", kind: "Eviction" },
  binding: { apiVersion: "v1", kind: "Binding" },
  token: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
} as const satisfies Record<keyof Subresources, object>;
