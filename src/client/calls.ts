import type { ApiRequest, Method, Transport } from "../transport/index.ts";
import { applyType } from "./body.ts";
import { fetchJson } from "./fetch-json.ts";
import type { CallOptions, WriteOptions } from "./options.ts";
import { writeQuery } from "./query.ts";
import { partPath, withQuery } from "./resource-path.ts";

/**
 * What goes with one call beside its method and path. Options are in it as they were given: to copy them and add to the
 * copy would take V8 longer than all the rest of a call.
 */
export interface CallBody {
  readonly options: CallOptions & Pick<WriteOptions, "onResponseBody">;
  readonly body?: string | undefined;
  /** Of the body. @default "application/json" */
  readonly type?: string | undefined;
  /** @default "application/json" */
  readonly accept?: string | undefined;
}

export interface WriteBody extends CallBody {
  readonly options: WriteOptions & { readonly force?: boolean | undefined };
  /** @default that of the options */
  readonly subresource?: string | undefined;
}

/** Sends JSON, takes JSON, throws `ApiError`. */
export class Calls {
  readonly #transport: Transport;
  readonly #fieldManager: string;

  constructor(transport: Transport, fieldManager: string) {
    this.#transport = transport;
    this.#fieldManager = fieldManager;
  }

  call<T>(method: Method, path: string, sent: CallBody): Promise<T> {
    const { options, body, type = "application/json", accept = "application/json" } = sent;
    const headers = body === undefined ? { accept } : { accept, "content-type": type };
    const request: ApiRequest = { method, path, headers, body, signal: options.signal };
    return fetchJson<T>(this.#transport, request, options.onResponseBody);
  }

  /**
   * A call that changes something: its options go into the query, its subresource into the path. `force` is sent with applies
   * alone: a server refuses other requests that have it (422), and other patches always take the fields that they write.
   */
  write<T>(method: Method, path: string, sent: WriteBody): Promise<T> {
    const { options, subresource = options.subresource } = sent;
    const whole = subresource === undefined ? path : partPath(path, subresource);
    const force = sent.type === applyType && options.force === true;
    return this.call<T>(method, withQuery(whole, writeQuery(options, this.#fieldManager, force)), sent);
  }
}
