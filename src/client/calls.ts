import type { ApiRequest, Method, Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";
import type { CallOptions, WriteOptions } from "./options.ts";
import { writeQuery } from "./query.ts";
import { partPath, withQuery } from "./resource-path.ts";

/** What goes with one call beside its method and path. */
export interface CallBody extends CallOptions {
  readonly body?: string | undefined;
  /** Of the body. @default "application/json" */
  readonly type?: string | undefined;
  /** @default "application/json" */
  readonly accept?: string | undefined;
}

export interface WriteBody extends CallBody, WriteOptions {
  readonly force?: boolean | undefined;
}

/** Sends JSON, takes JSON, throws `ApiError`. */
export class Calls {
  readonly #transport: Transport;
  readonly #fieldManager: string;

  constructor(transport: Transport, fieldManager: string) {
    this.#transport = transport;
    this.#fieldManager = fieldManager;
  }

  call<T>(method: Method, path: string, options: CallBody = {}): Promise<T> {
    const { signal, body, type = "application/json", accept = "application/json" } = options;
    const headers = body === undefined ? { accept } : { accept, "content-type": type };
    const request: ApiRequest = { method, path, headers, body, signal };
    return fetchJson<T>(this.#transport, request);
  }

  /** A call that changes something: its options go into the query, its subresource into the path. */
  write<T>(method: Method, path: string, options: WriteBody): Promise<T> {
    const { subresource, force } = options;
    const whole = subresource === undefined ? path : partPath(path, subresource);
    const query = { ...writeQuery(options, this.#fieldManager), force: force ? true : undefined };
    return this.call<T>(method, withQuery(whole, query), options);
  }
}
