import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { isIP } from "node:net";
import { asError, type Clock, deadline, sleep, TimeoutError } from "../../base/index.ts";
import { connectionErrorText, WebhookCallError } from "./call-error.ts";
import { type ClientConfig, type Endpoint, endpointOf, printedUrl } from "./client-config.ts";
import { type ReviewKind, reviewOf, type WebhookResponse } from "./review-response.ts";
import type { ServiceAddresses } from "./service-addresses.ts";

export interface WebhookCall {
  /** The review, as JSON. */
  readonly body: string;
  /** The kind of the review and of its response. */
  readonly review: ReviewKind;
  readonly timeoutMs: number;
  /** Aborts the call, for example because the client of the request has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends reviews to webhooks over HTTPS. Calls with the same client configuration share connections. */
export class WebhookClient {
  readonly #clock: Clock;
  readonly #services: ServiceAddresses;
  /** Endpoints and their connections, by client configuration, the most recently used last. */
  readonly #endpoints = new Map<string, Connected>();

  constructor(clock: Clock, services: ServiceAddresses) {
    this.#clock = clock;
    this.#services = services;
  }

  /**
   * Posts a review. Returns the parsed response. Throws a `WebhookCallError` with the message of kube-apiserver if the
   * call fails.
   */
  async post(config: ClientConfig, call: WebhookCall): Promise<unknown> {
    const connected = this.#connected(config);
    const query = `?timeout=${Math.ceil(call.timeoutMs / 1000)}s`;
    using limit = deadline(call.timeoutMs, "the call of a webhook", {
      clock: this.#clock,
      signal: call.signal,
    });
    const response = await this.#sendUntilReady(connected, call.body, { query, signal: limit.signal }).catch(
      (error: unknown) => {
        throw new WebhookCallError(
          `Post "${printedUrl(connected.endpoint, query)}": ${failureText(error, connected.endpoint)}`,
        );
      },
    );
    return reviewOf(response, call.review);
  }

  /** Closes all connections. */
  close(): void {
    for (const { agent } of this.#endpoints.values()) agent.destroy();
    this.#endpoints.clear();
  }

  #connected(config: ClientConfig): Connected {
    const key = JSON.stringify(config);
    const found = this.#endpoints.get(key) ?? connect(config);
    this.#endpoints.delete(key);
    this.#endpoints.set(key, found);
    const [oldest] = this.#endpoints;
    if (oldest && this.#endpoints.size > maxEndpoints) {
      this.#endpoints.delete(oldest[0]);
      oldest[1].agent.destroy();
    }
    return found;
  }

  /** Sends the review again after each response with `Retry-After`, at most ten times, as client-go does. */
  async #sendUntilReady(connected: Connected, body: string, call: Sending): Promise<WebhookResponse> {
    for (let retries = 0; ; retries += 1) {
      const response = await this.#send(connected, body, call);
      if (response.retryAfterMs === undefined || retries === maxRetries) return response;
      await sleep(response.retryAfterMs, { clock: this.#clock, signal: call.signal });
    }
  }

  async #send(
    { endpoint, agent }: Connected,
    body: string,
    { query, signal }: Sending,
  ): Promise<WebhookResponse> {
    const { url, service, ca } = endpoint;
    const place = service ? this.#services.resolve(service) : { host: url.hostname, port: url.port || "443" };
    const name = service ? url.hostname : url.hostname.replace(/^\[|\]$/g, "");
    const options: RequestOptions = {
      method: "POST",
      host: place.host.replace(/^\[|\]$/g, ""),
      port: place.port,
      path: `${url.pathname}${query}`,
      agent,
      signal,
      ...(isIP(name) ? {} : { servername: name }),
      ...(ca !== undefined && { ca }),
      headers: {
        host: url.host,
        accept: "application/json, */*",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "kube-apiserver-admission",
      },
    };
    return sent(options, body);
  }
}

const maxEndpoints = 200;
const maxRetries = 10;

interface Sending {
  readonly query: string;
  readonly signal: AbortSignal;
}

interface Connected {
  readonly endpoint: Endpoint;
  readonly agent: Agent;
}

function connect(config: ClientConfig): Connected {
  return { endpoint: endpointOf(config), agent: new Agent({ keepAlive: true }) };
}

/** A longer response is refused. */
const maxResponseBytes = 32 * 2 ** 20;

/** Sends a request. It is sent again if an idle connection was closed before it had a response. */
function sent(options: RequestOptions, body: string): Promise<WebhookResponse> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request(options, (incoming) => {
      answered = true;
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxResponseBytes) incoming.destroy(new Error("response is too large"));
      });
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          code: incoming.statusCode ?? 0,
          type: incoming.headers["content-type"] ?? "application/json",
          body: Buffer.concat(chunks),
          retryAfterMs: retryAfterMs(incoming),
        }),
      );
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The webhook has closed an idle connection at the same time: no other connection has that problem.
      const closed = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (closed && !answered) resolve(sent(options, body));
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** Returns the delay of a webhook that is overloaded. A date in `Retry-After` is ignored, as client-go does. */
function retryAfterMs({ statusCode = 0, headers }: IncomingMessage): number | undefined {
  const { "retry-after": seconds = "" } = headers;
  const retried = statusCode === 429 || statusCode >= 500;
  return retried && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function failureText(error: unknown, { url, service }: Endpoint): string {
  const cause = asError(error).name === "AbortError" ? asError(error).cause : error;
  if (cause instanceof TimeoutError) return "context deadline exceeded";
  if (asError(error).name === "AbortError") return "context canceled";
  if (error instanceof WebhookCallError) return error.message;
  const { code, hostname = url.hostname } = asError(error) as { code?: string; hostname?: string };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return wrongNameText(error, url.hostname);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return connectionErrorText(error, hostname);
  return connectionErrorText(error, `${url.hostname}:${service?.port ?? (url.port || 443)}`);
}

/** Returns Go's error for a certificate of another name. */
function wrongNameText(error: unknown, host: string): string {
  const { cert } = error as { readonly cert?: { readonly subjectaltname?: string } };
  const names = (cert?.subjectaltname ?? "").split(", ").filter((name) => name !== "");
  const address = isIP(host) > 0;
  const [prefix, noun] = address ? ["IP Address:", "IP SANs"] : ["DNS:", "SANs"];
  const own = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const verify = "tls: failed to verify certificate: x509:";
  if (own.length === 0)
    return `${verify} cannot validate certificate for ${host} because it doesn't contain any ${noun}`;
  return address
    ? `${verify} certificate is valid for ${own.join(", ")}, not ${host}`
    : `${verify} certificate is valid for ${own.join(", ")}, not ${host}`;
}
