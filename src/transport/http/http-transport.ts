import type { Dispatcher } from "undici";
import { asError, isLoopback, onAbort, unlessAborted } from "../../base/index.ts";
import { apiErrorFrom } from "../api-error.ts";
import type { ClusterConfig, RequestAuth } from "../config/cluster-config.ts";
import { impersonationHeaders } from "../config/impersonation.ts";
import type {
  ApiRequest,
  ApiResponse,
  MessageConnection,
  OpenResponse,
  RequestHeaders,
  Transport,
  UpgradeRequest,
} from "../transport.ts";
import { BufferedResponse } from "./buffered-response.ts";
import { connectionError, isHandshakeFailure } from "./connection-error.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { GunzippedResponse, isGzip } from "./gunzip.ts";
import { requestBytes } from "./request-bytes.ts";
import { openWebSocket, type UpgradeResult } from "./web-socket.ts";

export interface HttpTransportOptions extends ConnectionOptions {
  /**
   * Time limit for the head of a response, and for each pause within the body of a `send`. The body of an `open`ed
   * response may pause without limit. @default 75_000
   */
  readonly responseTimeoutMs?: number | undefined;
  /** Limit for the body of a `send`. The body of an `open`ed response has no limit. @default 256 MiB */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Requests lists in gzip. This saves network traffic and costs CPU time on both sides.
   * @default true, unless the server is on loopback or the kubeconfig sets `disable-compression`
   */
  readonly gzip?: boolean | undefined;
}

/**
 * Returns a transport that speaks HTTP/1.1 to the server of a `ClusterConfig`, through undici.
 *
 * Requests share a pool of keep-alive connections. An opened response has its own connection until it ends. If the TLS
 * handshake fails, the request is sent once more if the certificate files have changed. If the response is 401, the
 * request is sent once more if the identity may have newer credentials, unless the request has its own `authorization`
 * header.
 */
export function httpTransport(config: ClusterConfig, options: HttpTransportOptions = {}): Transport {
  return new HttpTransport(config, options);
}

class HttpTransport implements Transport {
  readonly server: string;
  readonly #config: ClusterConfig;
  readonly #connections: Connections;
  readonly #maxBodyBytes: number;
  readonly #responseTimeoutMs: number;
  readonly #origin: string;
  readonly #host: string;
  readonly #basePath: string;
  readonly #impersonation: RequestHeaders;
  readonly #gzip: boolean;

  constructor(config: ClusterConfig, options: HttpTransportOptions) {
    const { origin, host, pathname, hostname } = new URL(config.server);
    this.server = config.server;
    this.#config = config;
    this.#connections = new Connections(config, options);
    this.#maxBodyBytes = options.maxBodyBytes ?? 256 * 1024 * 1024;
    this.#responseTimeoutMs = options.responseTimeoutMs ?? 75_000;
    this.#origin = origin;
    this.#host = host;
    this.#basePath = pathname.replace(/\/+$/, "");
    this.#gzip = options.gzip ?? !(config.disableCompression || isLoopback(hostname));
    this.#impersonation = config.impersonate ? impersonationHeaders(config.impersonate) : {};
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    return this.#attempts(request, (auth) => this.#send(request, auth));
  }

  open(request: ApiRequest): Promise<OpenResponse> {
    return this.#attempts(
      request,
      (auth) => this.#open(request, auth),
      (refused) => refused.close(),
    );
  }

  /** Uses the optional package `ws`. */
  async upgrade(request: UpgradeRequest): Promise<MessageConnection> {
    const result = await this.#attempts(request, (auth) => this.#upgrade(request, auth));
    if (result.connection) return result.connection;
    throw apiErrorFrom(request, result.refusal);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #auth({ signal }: ApiRequest): RequestAuth | Promise<RequestAuth> {
    signal?.throwIfAborted();
    const current = this.#config.identity.current();
    return current instanceof Promise ? unlessAborted(current, signal) : current;
  }

  /**
   * Sends a request. Sends it once more with newer certificates if the TLS handshake failed (the server has not seen
   * the request then), or with newer credentials if the response is 401.
   */
  async #attempts<R extends Pick<ApiResponse, "status">>(
    request: ApiRequest,
    attempt: (auth: RequestAuth) => Promise<R>,
    discard?: (response: R) => void,
  ): Promise<R> {
    let auth = await this.#auth(request);
    let response: R;
    try {
      response = await attempt(auth);
    } catch (error) {
      auth = await this.#newerCertificates(request, auth, error);
      response = await attempt(auth);
    }
    if (!this.#mayRetry(request, response.status, auth)) return response;
    discard?.(response);
    return attempt(await this.#auth(request));
  }

  /**
   * Returns newer certificates after a failed handshake. Rethrows `error` if it is something else or there are none.
   */
  async #newerCertificates(request: ApiRequest, auth: RequestAuth, error: unknown): Promise<RequestAuth> {
    if (!isHandshakeFailure(error) || !this.#config.identity.handshakeFailed?.(auth)) throw error;
    const newer = await this.#auth(request);
    if (newer.tls === auth.tls) throw error;
    return newer;
  }

  #mayRetry({ headers }: ApiRequest, status: number, auth: RequestAuth): boolean {
    return status === 401 && headers?.authorization === undefined && this.#config.identity.refused(auth);
  }

  async #send(request: ApiRequest, auth: RequestAuth): Promise<ApiResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    const { beforeSend, reader, lane } = request;
    const found = this.#connections.for(auth.tls);
    const pools = found instanceof Promise ? await unlessAborted(found, signal) : found;
    const gunzip = this.#requestsGzip(request);
    const handler = new BufferedResponse({ maxBytes: this.#maxBodyBytes, beforeSend, reader, gunzip });
    const abortHandler = onAbort(signal, (reason) => handler.abort(asError(reason)));
    try {
      pools.requests(lane).dispatch(this.#wire(request, auth), handler);
      return await handler.response;
    } catch (error) {
      signal?.throwIfAborted();
      throw handler.refusal ?? this.#describe(asError(error), request);
    } finally {
      abortHandler[Symbol.dispose]();
    }
  }

  async #open(request: ApiRequest, auth: RequestAuth): Promise<OpenResponse> {
    const { signal, beforeSend } = request;
    signal?.throwIfAborted();
    const describe = (error: Error): Error => this.#describe(error, request);
    const found = this.#connections.for(auth.tls);
    const pools = found instanceof Promise ? await unlessAborted(found, signal) : found;
    const head = await pools.open({
      request: requestBytes({
        method: request.method,
        path: this.#basePath + request.path,
        host: this.#host,
        headers: this.#headers(request, auth),
        body: request.body,
      }),
      signal,
      beforeSend,
      headTimeoutMs: this.#responseTimeoutMs,
      describe,
    });
    return this.#requestsGzip(request) && isGzip(head.headers) ? new GunzippedResponse(head, describe) : head;
  }

  async #upgrade(request: UpgradeRequest, auth: RequestAuth): Promise<UpgradeResult> {
    const { signal, beforeSend, protocol } = request;
    const pools = await unlessAborted(Promise.resolve(this.#connections.for(auth.tls)), signal);
    return openWebSocket({
      openSocket: () => pools.openSocket(signal),
      url: `${this.#origin.replace(/^http/, "ws")}${this.#basePath}${request.path}`,
      headers: this.#headers(request, auth),
      protocol,
      signal,
      beforeSend,
      responseTimeoutMs: this.#responseTimeoutMs,
      describe: (error) => this.#describe(error, request),
    });
  }

  #wire(request: ApiRequest, auth: RequestAuth): Dispatcher.DispatchOptions {
    return {
      origin: this.#origin,
      path: this.#basePath + request.path,
      method: request.method,
      headers: this.#headers(request, auth),
      body: request.body ?? null,
      headersTimeout: this.#responseTimeoutMs,
      bodyTimeout: this.#responseTimeoutMs,
      // undici's default would close the connection after every DELETE with a body, and Kubernetes deletions have one
      reset: request.method === "HEAD",
    };
  }

  /** Returns true if this transport requests gzip. A caller that sets `accept-encoding` decodes the body itself. */
  #requestsGzip({ compressible = false, headers }: ApiRequest): boolean {
    return this.#gzip && compressible && headers?.["accept-encoding"] === undefined;
  }

  /**
   * Returns alternating names and values. The request's own headers take precedence. A request that impersonates a user
   * replaces the impersonation of the configuration completely.
   */
  #headers(request: ApiRequest, auth: RequestAuth): string[] {
    const { headers: own = {} } = request;
    const list: string[] = this.#requestsGzip(request) ? ["accept-encoding", "gzip"] : [];
    if (own["impersonate-user"] === undefined) addAll(list, this.#impersonation);
    addAll(list, auth.headers, own);
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
