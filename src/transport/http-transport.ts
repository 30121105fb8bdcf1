import type { Dispatcher } from "undici";
import { asError, follow } from "../base/index.ts";
import type { ClusterConfig, Presented } from "./cluster-config.ts";
import { connectionError } from "./connection-error.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { impersonationHeaders } from "./impersonation.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import type { ApiRequest, ApiResponse, OpenResponse, RequestHeaders, Transport } from "./transport.ts";
import { WholeAnswer } from "./whole-answer.ts";

export interface HttpTransportOptions extends ConnectionOptions {
  /** How long an answer may take to begin, and to go on once begun. Opened ones may be silent for ever. @default 75_000 */
  readonly answerTimeoutMs?: number | undefined;
  /** No answer to a request may be larger. Opened ones are not bounded. @default 256 MiB */
  readonly maxBodyBytes?: number | undefined;
}

/**
 * HTTP/1.1 to the server of a `ClusterConfig`, through undici.
 *
 * Requests share a pool of kept connections; an opened response has a connection to itself until it ends.
 * A request answered with 401 is sent once more where the identity may have something newer to show.
 */
export function httpTransport(config: ClusterConfig, options: HttpTransportOptions = {}): Transport {
  return new HttpTransport(config, options);
}

class HttpTransport implements Transport {
  readonly server: string;
  readonly #config: ClusterConfig;
  readonly #connections: Connections;
  readonly #maxBodyBytes: number;
  /** What every request has in common. */
  readonly #common: Pick<Dispatcher.DispatchOptions, "origin" | "headersTimeout" | "bodyTimeout">;
  readonly #basePath: string;
  readonly #impersonation: RequestHeaders;

  constructor(config: ClusterConfig, options: HttpTransportOptions) {
    const url = new URL(config.server);
    const answerTimeoutMs = options.answerTimeoutMs ?? 75_000;
    this.server = config.server;
    this.#config = config;
    this.#connections = new Connections(config, options);
    this.#maxBodyBytes = options.maxBodyBytes ?? 256 * 1024 * 1024;
    this.#common = { origin: url.origin, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs };
    this.#basePath = url.pathname.replace(/\/+$/, "");
    this.#impersonation = config.impersonate ? impersonationHeaders(config.impersonate) : {};
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const first = await this.#identity(request);
    const response = await this.#send(request, first);
    if (response.status !== 401 || !this.#config.identity.refused(first)) return response;
    return this.#send(request, await this.#identity(request));
  }

  async open(request: ApiRequest): Promise<OpenResponse> {
    const first = await this.#identity(request);
    const response = await this.#open(request, first);
    if (response.status !== 401 || !this.#config.identity.refused(first)) return response;
    response.close();
    return this.#open(request, await this.#identity(request));
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #identity({ signal }: ApiRequest): Presented | Promise<Presented> {
    signal?.throwIfAborted();
    return this.#config.identity.current();
  }

  async #send(request: ApiRequest, presented: Presented): Promise<ApiResponse> {
    const answer = new WholeAnswer(this.#maxBodyBytes);
    using _ = follow(request.signal, (reason) => answer.abort(asError(reason)));
    this.#connections.for(presented.tls).requests.dispatch(this.#wire(request, presented), answer);
    try {
      return await answer.response;
    } catch (error) {
      request.signal?.throwIfAborted();
      throw this.#describe(asError(error), request);
    }
  }

  async #open(request: ApiRequest, presented: Presented): Promise<OpenResponse> {
    const { signal } = request;
    const answer = new StreamedAnswer({ signal, describe: (error) => this.#describe(error, request) });
    const wire = { ...this.#wire(request, presented), bodyTimeout: 0 };
    this.#connections.for(presented.tls).streams.dispatch(wire, answer);
    return answer.head;
  }

  #wire(request: ApiRequest, presented: Presented): Dispatcher.DispatchOptions {
    return {
      ...this.#common,
      method: request.method,
      path: this.#basePath + request.path,
      // undici takes arrays and does not change them; its type asks for mutable ones
      headers: { ...this.#impersonation, ...presented.headers, ...request.headers } as Record<
        string,
        string | string[]
      >,
      body: request.body ?? null,
    };
  }

  #describe(error: Error, request: ApiRequest): Error {
    return connectionError(error, request, this.#config);
  }
}
