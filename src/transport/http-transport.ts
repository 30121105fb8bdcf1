import { asError, follow, isLoopback, unlessAborted } from "../base/index.ts";
import type { ClusterConfig, Presented } from "./cluster-config.ts";
import { connectionError, isHandshakeFailure } from "./connection-error.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { GunzippedResponse, isGzip } from "./gunzip.ts";
import { impersonationHeaders } from "./impersonation.ts";
import type { LineDispatchOptions } from "./line-client.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import type { ApiRequest, ApiResponse, OpenResponse, RequestHeaders, Transport } from "./transport.ts";
import { WholeAnswer } from "./whole-answer.ts";

export interface HttpTransportOptions extends ConnectionOptions {
  /** How long an answer may take to begin, and to go on once begun. Opened ones may be silent for ever. @default 75_000 */
  readonly answerTimeoutMs?: number | undefined;
  /** No answer to a request may be larger. Opened ones are not bounded. @default 256 MiB */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Requests lists in gzip. It saves transfer and costs the server and this process time.
   * @default true, unless the server is on loopback or the kubeconfig says `disable-compression`
   */
  readonly gzip?: boolean | undefined;
}

/**
 * HTTP/1.1 to the server of a `ClusterConfig`, through undici.
 *
 * Requests share a pool of kept connections; an opened response has a connection to itself until it ends.
 * A request whose TLS handshake failed is sent once more if the files of the certificates have changed.
 * A request answered with 401 is sent once more where the identity may have something newer to show, unless it came
 * with an `authorization` of its own.
 */
export function httpTransport(config: ClusterConfig, options: HttpTransportOptions = {}): Transport {
  return new HttpTransport(config, options);
}

class HttpTransport implements Transport {
  readonly server: string;
  readonly #config: ClusterConfig;
  readonly #connections: Connections;
  readonly #maxBodyBytes: number;
  readonly #answerTimeoutMs: number;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #impersonation: RequestHeaders;
  readonly #gzip: boolean;

  constructor(config: ClusterConfig, options: HttpTransportOptions) {
    const { origin, pathname, hostname } = new URL(config.server);
    this.server = config.server;
    this.#config = config;
    this.#connections = new Connections(config, options);
    this.#maxBodyBytes = options.maxBodyBytes ?? 256 * 1024 * 1024;
    this.#answerTimeoutMs = options.answerTimeoutMs ?? 75_000;
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, "");
    this.#gzip = options.gzip ?? !(config.disableCompression || isLoopback(hostname));
    this.#impersonation = config.impersonate ? impersonationHeaders(config.impersonate) : {};
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    return this.#attempts(request, (presented) => this.#send(request, presented));
  }

  open(request: ApiRequest): Promise<OpenResponse> {
    return this.#attempts(
      request,
      (presented) => this.#open(request, presented),
      (refused) => refused.close(),
    );
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #presented({ signal }: ApiRequest): Presented | Promise<Presented> {
    signal?.throwIfAborted();
    const current = this.#config.identity.current();
    return current instanceof Promise ? unlessAborted(current, signal) : current;
  }

  /**
   * Sends, and sends once more with newer certificates if the TLS handshake failed (the server has not seen the request then), or
   * with newer credentials if the response is 401.
   */
  async #attempts<R extends Pick<ApiResponse, "status">>(
    request: ApiRequest,
    attempt: (presented: Presented) => Promise<R>,
    discard?: (response: R) => void,
  ): Promise<R> {
    let presented = await this.#presented(request);
    let response: R;
    try {
      response = await attempt(presented);
    } catch (error) {
      presented = await this.#newerCertificates(request, presented, error);
      response = await attempt(presented);
    }
    if (!this.#worthAnother(request, response.status, presented)) return response;
    discard?.(response);
    return attempt(await this.#presented(request));
  }

  /** Throws `error` unless it is a failed handshake, and there are newer certificates. */
  async #newerCertificates(request: ApiRequest, presented: Presented, error: unknown): Promise<Presented> {
    if (!isHandshakeFailure(error) || !this.#config.identity.handshakeFailed?.(presented)) throw error;
    const newer = await this.#presented(request);
    if (newer.tls === presented.tls) throw error;
    return newer;
  }

  #worthAnother({ headers }: ApiRequest, status: number, presented: Presented): boolean {
    return status === 401 && headers?.authorization === undefined && this.#config.identity.refused(presented);
  }

  async #send(request: ApiRequest, presented: Presented): Promise<ApiResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    const { permit, reader, lane } = request;
    const requests = this.#connections.for(presented.tls).requests(lane);
    const gunzip = this.#requestsGzip(request);
    const answer = new WholeAnswer({ maxBytes: this.#maxBodyBytes, permit, reader, gunzip });
    const outer = follow(signal, (reason) => answer.abort(asError(reason)));
    try {
      requests.dispatch(this.#wire(request, presented, answer), answer);
      return await answer.response;
    } catch (error) {
      signal?.throwIfAborted();
      throw answer.refusal ?? this.#describe(asError(error), request);
    } finally {
      outer[Symbol.dispose]();
    }
  }

  #open(request: ApiRequest, presented: Presented): Promise<OpenResponse> {
    const { signal, permit } = request;
    signal?.throwIfAborted();
    const { streams } = this.#connections.for(presented.tls);
    const describe = (error: Error): Error => this.#describe(error, request);
    const answer = new StreamedAnswer({ signal, permit, describe });
    streams.dispatch({ ...this.#wire(request, presented, answer), bodyTimeout: 0 }, answer);
    if (!this.#requestsGzip(request)) return answer.head;
    return answer.head.then((head) => (isGzip(head.headers) ? new GunzippedResponse(head, describe) : head));
  }

  #wire(
    request: ApiRequest,
    presented: Presented,
    answer: WholeAnswer | StreamedAnswer,
  ): LineDispatchOptions {
    return {
      origin: this.#origin,
      path: this.#basePath + request.path,
      method: request.method,
      headers: this.#headers(request, presented),
      body: request.body ?? null,
      headersTimeout: this.#answerTimeoutMs,
      bodyTimeout: this.#answerTimeoutMs,
      // or undici gives up the connection after every DELETE with a body, which Kubernetes' deletions have
      reset: request.method === "HEAD",
      onLine: answer.onLine,
    };
  }

  /** A caller that names encodings decodes the body as well. */
  #requestsGzip({ compressible = false, headers }: ApiRequest): boolean {
    return this.#gzip && compressible && headers?.["accept-encoding"] === undefined;
  }

  /** Names and values in turn. A request's own headers win; whom it acts as, it says whole. */
  #headers(request: ApiRequest, presented: Presented): string[] {
    const { headers: own = {} } = request;
    const list: string[] = this.#requestsGzip(request) ? ["accept-encoding", "gzip"] : [];
    if (own["impersonate-user"] === undefined) addAll(list, this.#impersonation);
    addAll(list, presented.headers, own);
    addAll(list, own);
    return list;
  }

  #describe(error: Error, request: ApiRequest): Error {
    return connectionError(error, request, this.#config);
  }
}

function addAll(list: string[], headers: RequestHeaders, except: RequestHeaders = {}): void {
  for (const name in headers) {
    if (except[name] !== undefined) continue;
    const value = headers[name];
    if (typeof value === "string") list.push(name, value);
    else if (value) for (const one of value) list.push(name, one);
  }
}
