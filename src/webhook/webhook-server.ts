import type { Http2SecureServer } from "node:http2";
import type { SecureContextOptions } from "node:tls";
import {
  AbortPool,
  asError,
  type Clock,
  type ListenAddress,
  type Logger,
  listenAddress,
  type Metrics,
  type Timer,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import { type CertificateSource, Connections, listen, type WatchedFiles } from "../serving/index.ts";
import type { AdmissionHook } from "./admission-hook.ts";
import { BodyBudget } from "./body-budget.ts";
import { checkUnique } from "./check-hook.ts";
import { type Converter, reviewConversion } from "./conversion-review.ts";
import {
  type HttpRequest,
  type HttpResponse,
  isJson,
  jsonText,
  readBody,
  sendJson,
  timeoutOf,
} from "./http-exchange.ts";
import { reviewAdmission } from "./review-admission.ts";
import { ReviewError } from "./review-error.ts";
import { WebhookMeter } from "./webhook-meter.ts";

export interface WebhookServerContext {
  readonly hooks: readonly AdmissionHook[];
  readonly converters: readonly Converter[];
  /** Started by the caller. */
  readonly certificates: CertificateSource;
  /**
   * The CAs of client certificates, started by the caller. Clients without a certificate of them are refused.
   * @default no client certificates
   */
  readonly clientCas?: Pick<WatchedFiles<string>, "current" | "onChange"> | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** @default all addresses */
  readonly host?: string | undefined;
  /** The client of the handlers. @default reading it throws */
  readonly client?: Client | undefined;
  /** The cache of the handlers. @default reading it throws */
  readonly cache?: Cache | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Maximum bytes of an AdmissionReview. @default 7 MiB: two objects of the largest size that API servers accept */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum bytes of all requests in flight. More are refused with 503 and `Retry-After`. @default 256 MiB */
  readonly maxBodiesBytes?: number | undefined;
  /** Time for requests in flight after `close`. @default 10_000 */
  readonly graceMs?: number | undefined;
}

/**
 * Serves webhooks over HTTPS, with HTTP/1.1 and HTTP/2.
 *
 * Requests that are no reviews get an HTTP error with a `Status`, whose message the API server shows; it then applies
 * the failure policy. Nothing that a request or a handler does ends the server.
 */
export class WebhookServer implements AsyncDisposable {
  readonly #context: WebhookServerContext;
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #meter: WebhookMeter;
  readonly #connections: Connections;
  readonly #aborts = new AbortPool();
  readonly #bodies: BodyBudget;
  /** Requests in flight. */
  readonly #inFlight = new Set<AbortController>();
  #server: Http2SecureServer | undefined;
  readonly #onChange: Disposable[] = [];
  #closed: Promise<void> | undefined;

  /** Throws a `TypeError` if two hooks have the same path or name. */
  constructor(context: WebhookServerContext) {
    checkUnique(context.hooks);
    this.#context = context;
    this.#bodies = new BodyBudget(context.maxBodiesBytes ?? 256 * mebibyte);
    this.#meter = new WebhookMeter(context.metrics, context.clock);
    const { clock } = context;
    this.#connections = new Connections({ headersMs: 32_000, idleMs: 90_000, requestMs, clock });
    this.#endpoints = new Map(this.#newEndpoints());
    for (const path of this.#endpoints.keys()) this.#meter.add(path);
  }

  /** True from the moment the server accepts connections until it is closed. */
  get listening(): boolean {
    return this.#closed === undefined && (this.#server?.listening ?? false);
  }

  /** `undefined` while the server does not listen. */
  get address(): ListenAddress | undefined {
    return this.#server && listenAddress(this.#server);
  }

  /** Resolves with the port when the server listens. Rejects with a `ConfigError` if it cannot. */
  async listen(): Promise<number> {
    // Loaded on demand: most programs have no webhooks.
    const { createSecureServer } = await import("node:http2");
    const { certificates, clientCas, port, host, log } = this.#context;
    const requestCert = clientCas !== undefined;
    const limits = { handshakeTimeout, settings };
    const server = createSecureServer({ ...tlsOptions, requestCert, ...this.#tls, ...limits });
    this.#server = server;
    server.on("request", (request, response) => void this.#serve(request, response));
    server.on("sessionError", () => {}); // the connection is closed
    this.#connections.watch(server);
    for (const source of [certificates, clientCas]) {
      if (source) this.#onChange.push(source.onChange(() => this.#useCertificates()));
    }
    return listen(server, { name: "webhooks", port, host, advice, log });
  }

  /** Accepts no more requests, gives those in flight `graceMs`, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { clock, graceMs = 10_000 } = this.#context;
    for (const listener of this.#onChange.splice(0)) listener[Symbol.dispose]();
    const server = this.#server;
    if (!server) return;
    const ended = new Promise<void>((resolve) => void server.close(() => resolve()));
    this.#connections.close();
    let late: Timer = clock.timer(graceMs, () => {
      for (const request of this.#inFlight) request.abort(new ReviewError(503, "the webhook server stops"));
      late = clock.timer(lastMs, () => this.#connections.destroy());
    });
    await ended;
    late.cancel();
    this.#connections.destroy();
  }

  get #tls(): SecureContextOptions {
    const { certificates, clientCas } = this.#context;
    const { cert, key } = certificates.current;
    return { cert, key, ...(clientCas && { ca: clientCas.current }) };
  }

  /** Uses the current certificates for new connections. Open ones keep theirs. */
  #useCertificates(): void {
    try {
      this.#server?.setSecureContext(this.#tls);
    } catch (error) {
      this.#context.log.error("certificate not accepted; keeping the current one", { error: asError(error) });
    }
  }

  #newEndpoints(): [string, Endpoint][] {
    const { hooks, converters, client, cache, log, clock, maxBodyBytes = 7 * mebibyte } = this.#context;
    const onFailed = (): void => this.#meter.handlerFailed();
    const endpoints = hooks.map((hook): [string, Endpoint] => {
      const timeoutMs = (hook.options.timeoutSeconds ?? 10) * 1000;
      const review: Endpoint["review"] = (text, call) =>
        reviewAdmission(hook, text, { client, cache, log, clock, onFailed, ...call });
      return [hook.path, { review, maxBytes: maxBodyBytes, timeoutMs }];
    });
    if (converters.length === 0) return endpoints;
    const onConverterFailed = (): void => this.#meter.converterFailed();
    const review: Endpoint["review"] = (text, call) =>
      reviewConversion(text, { converters, clock, log, onFailed: onConverterFailed, ...call });
    return [...endpoints, ["/convert", { review, maxBytes: maxConversionBytes, timeoutMs: maxTimeoutMs }]];
  }

  async #serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    const path = pathOf(request);
    const endpoint = this.#endpoints.get(path);
    const end = endpoint && this.#meter.start(path);
    const controller = this.#aborts.take();
    this.#inFlight.add(controller);
    this.#connections.serve(request, response);
    let code: number | undefined; // set when the controller is released: another request may use it from then on
    response.once("close", () => {
      if (code === undefined && this.#inFlight.delete(controller)) {
        controller.abort(new ReviewError(499, "the API server has disconnected"));
      }
      end?.(code ?? 499); // the code of a client that disconnects, as in the logs of proxies
    });
    response.on("error", () => {}); // "close" follows
    const [status, text] = await this.#respond(request, endpoint, controller.signal);
    if (response.destroyed) return;
    code = status;
    this.#inFlight.delete(controller);
    this.#aborts.release(controller);
    sendJson(response, status, {
      text,
      last: this.#closed !== undefined || !request.complete,
    });
  }

  /** Returns the status code and the JSON of the response. Never rejects. */
  async #respond(
    request: HttpRequest,
    endpoint: Endpoint | undefined,
    signal: AbortSignal,
  ): Promise<[code: number, text: string]> {
    try {
      return [200, jsonText(await this.#review(request, endpoint, signal))];
    } catch (thrown) {
      const error = asError(thrown);
      const code = error instanceof ReviewError ? error.code : 500;
      const level = code === 499 || code === 504 ? "debug" : "warn"; // a timeout was logged with its webhook
      this.#context.log[level]("webhook request refused", {
        path: pathOf(request),
        code,
        error: error.message,
      });
      return [code, jsonText(failure(code, error.message))];
    }
  }

  async #review(request: HttpRequest, endpoint: Endpoint | undefined, signal: AbortSignal): Promise<object> {
    if (!endpoint) throw new ReviewError(404, `expected the path of a webhook, got ${pathOf(request)}`);
    if (request.method !== "POST") throw new ReviewError(405, `expected POST, got ${request.method}`);
    if (!isJson(request)) {
      const type = request.headers["content-type"] ?? "none";
      throw new ReviewError(415, `expected the content type application/json, got ${type}`);
    }
    const { clock } = this.#context;
    const asked = timeoutOf(new URL(request.url ?? "", baseUrl).searchParams);
    const timeoutMs = Math.min(asked ?? endpoint.timeoutMs, maxTimeoutMs);
    using reserved = this.#bodies.reserve();
    const text = await readBody(request, reserved, { maxBytes: endpoint.maxBytes, timeoutMs, clock });
    return await endpoint.review(text, { timeoutMs, signal });
  }
}

/** One path of the server. */
interface Endpoint {
  review(text: string, call: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<object>;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

const mebibyte = 1024 * 1024;
/** An API server converts a whole list at once. */
const maxConversionBytes = 128 * mebibyte;
/** The longest time that API servers wait for a webhook. */
const maxTimeoutMs = 30_000;
/** Time for a whole request: for its body, for the handler, and for reading the response. */
const requestMs = 3 * maxTimeoutMs;
const handshakeTimeout = 10_000;
/** TLS 1.0 and 1.1 are refused, also if an option of Node allows them. */
const tlsOptions = { allowHTTP1: true, minVersion: "TLSv1.2" } as const;
const advice = "choose another with manager({ webhookServer: { port } })";
const settings = { maxConcurrentStreams: 250 };
/** Time for responses of aborted requests. */
const lastMs = 1000;
/** Base URL for parsing paths. Its host is not used. */
const baseUrl = "https://localhost";

function pathOf({ url = "" }: HttpRequest): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Returns a `Status`, from which the API server takes the message. */
function failure(code: number, message: string): object {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message, code };
}
