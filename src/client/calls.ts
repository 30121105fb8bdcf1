import type { ApiRequest, Method, Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";
import type { CallOptions, WriteOptions } from "./options.ts";
import { applyType } from "./request-body.ts";
import { type Query, subresourcePath, withQuery } from "./resource-path.ts";

/**
 * The input of a call besides its method and path. It refers to the caller's options instead of copying them, because
 * copying and extending them would take V8 longer than the rest of the call.
 */
export interface CallBody {
  readonly options: CallOptions & Pick<WriteOptions, "onResponseBody">;
  readonly body?: string | undefined;
  /** Content type of the body. @default "application/json" */
  readonly type?: string | undefined;
  /** @default "application/json" */
  readonly accept?: string | undefined;
}

export interface WriteBody extends CallBody {
  readonly options: WriteOptions & { readonly force?: boolean | undefined };
  /** @default the subresource of the options */
  readonly subresource?: string | undefined;
}

/** Sends JSON requests and parses the responses. Throws `ApiError`. */
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
   * Sends a write, with its options in the query and its subresource in the path. `force` is sent only with applies:
   * the server refuses it in other requests (422), and other patches always take ownership of the fields that they
   * write.
   */
  write<T>(method: Method, path: string, sent: WriteBody): Promise<T> {
    const { options, subresource = options.subresource } = sent;
    const target = subresource === undefined ? path : subresourcePath(path, subresource);
    const force = sent.type === applyType && options.force === true;
    return this.call<T>(method, withQuery(target, writeQuery(options, this.#fieldManager, force)), sent);
  }
}

function writeQuery(options: WriteOptions, fieldManager: string, force: boolean): Query {
  return {
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation,
    force: force ? true : undefined,
  };
}
