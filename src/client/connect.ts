import {
  asError,
  type Clock,
  createLogger,
  guardedLogger,
  type Logger,
  type Metrics,
  type Rng,
  TokenBucket,
} from "../base/index.ts";
import {
  type ClusterConfig,
  type HttpTransportOptions,
  httpTransport,
  type LoadOptions,
  loadConfig,
  measured,
  measuredLimiter,
  type OnWarning,
  RequestMeter,
  retrying,
  type Transport,
  warningsOnce,
  withHeaders,
} from "../transport/index.ts";
import type { Client } from "./client.ts";
import { checkFieldManager } from "./field-manager.ts";
import { KubeClient } from "./kube-client.ts";
import { thisProgram } from "./program.ts";

export interface ConnectOptions extends LoadOptions, ClientOptions {}

export interface ClientOptions {
  /**
   * The `User-Agent` of every request.
   * @default "<program>/<version> trimtab/<version> (<platform>/<arch>)", with the program's name from the nearest
   * package.json
   */
  readonly userAgent?: string | undefined;
  /**
   * The field manager of this client's writes: 1 to 128 printable characters.
   * @default the `userAgent` up to its first slash, else the name in the nearest package.json, else "trimtab"
   */
  readonly fieldManager?: string | undefined;
  /** Limit of requests per second, and of requests in a burst. @default no limit, because the server has its own */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /**
   * Limit for the total time that one request waits for responses 429 or 5xx with `Retry-After`. A response that
   * requires a longer wait is an `ApiError` at once, with the delay in `retryAfterMs`. @default 60_000
   */
  readonly maxRetryWaitMs?: number | undefined;
  /**
   * Called once for each different warning of the server: deprecated versions, unknown fields, policies.
   * @default logs it at level "warn"
   */
  readonly onWarning?: OnWarning | undefined;
  /** @default logs warnings and errors to standard error */
  readonly log?: Logger | undefined;
  /**
   * Records the `rest_client_*` metrics of this client's requests. A manager also records them in its own registry.
   * @default none
   */
  readonly metrics?: Metrics | undefined;
  readonly http?: HttpTransportOptions | undefined;
  /** The clock for retries, rate limits and watches. @default the real clock */
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/**
 * Returns a client for the cluster of the options, KUBECONFIG, the Pod or ~/.kube/config, in that order. Sends nothing
 * yet.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const log = logOf(options);
  return clientFor(await loadConfig({ ...options, log }), { ...options, log });
}

/** Returns a client for a given cluster configuration, such as that of `fromClientNode`. */
export function clientFor(config: ClusterConfig, options: ClientOptions = {}): Client {
  return clientOver(httpTransport(config, options.http), { ...options, namespace: config.namespace });
}

/** Returns a client over any transport, such as HTTP or a server in this process. */
export function clientOver(
  transport: Transport,
  options: ClientOptions & { readonly namespace: string },
): Client {
  const { userAgent = defaultUserAgent(), fieldManager = defaultFieldManager(options) } = options;
  checkFieldManager("fieldManager", fieldManager);
  const meter = new RequestMeter(transport.server);
  if (options.metrics) meter.record(options.metrics);
  return new KubeClient({
    transport: withHeaders(withRetries(transport, meter, options), { "user-agent": userAgent }),
    meter,
    scope: { namespace: options.namespace, restricted: false },
    fieldManager,
    clock: options.clock,
    rng: options.rng,
  });
}

/** Adds metrics and, above them, retries, so that each attempt is measured. */
function withRetries(transport: Transport, meter: RequestMeter, options: ClientOptions): Transport {
  const { rateLimit, clock, maxRetryWaitMs } = options;
  const log = logOf(options);
  const onWarning = warningsOnce((text) => warn(text, options.onWarning, log));
  return retrying(measured(transport, { meter, onWarning, clock }), {
    clock,
    maxWaitMs: maxRetryWaitMs,
    limiter: rateLimit && measuredLimiter(new TokenBucket({ ...rateLimit, clock }), { meter, clock }),
    onRetry(request, reason) {
      meter.retried(request, reason);
      log.debug("retrying request", { method: request.method, path: request.path, ...reason });
    },
  });
}

/** Reports a warning. If the callback throws, the request still succeeds, and the error is logged. */
function warn(text: string, onWarning: ClientOptions["onWarning"], log: Logger): void {
  try {
    if (onWarning) onWarning(text);
    else log.warn("API server warning", { text });
  } catch (error) {
    log.error("onWarning failed", { error: asError(error), text });
  }
}

/** Returns the logger of a client. Without a logger, warnings and errors are still reported. */
function logOf({ log, clock }: ClientOptions): Logger {
  return log ? guardedLogger(log) : createLogger({ level: "warn", clock });
}

function defaultUserAgent(): string {
  const program = thisProgram();
  const prefix = program ? `${program.name}/${program.version} ` : "";
  return `${prefix}trimtab/${release} (${process.platform}/${process.arch})`;
}

function defaultFieldManager({ userAgent }: ClientOptions): string {
  return (userAgent === undefined ? thisProgram()?.name : userAgent.split("/")[0]) || "trimtab";
}

/** This package's version. A test compares it with `package.json`. */
export const release = "0.1.0";
