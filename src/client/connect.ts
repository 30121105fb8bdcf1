import {
  asError,
  type Clock,
  createLogger,
  guardedLogger,
  type Logger,
  type Metrics,
  noMetrics,
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
  retryCounter,
  retrying,
  type Transport,
  warningsOnce,
  withHeaders,
} from "../transport/index.ts";
import type { Client } from "./client.ts";
import { checkFieldManager } from "./field-manager.ts";
import { KubeClient } from "./kube-client.ts";
import { thisProgram } from "./program.ts";
import { release } from "./release.ts";

export interface ConnectOptions extends LoadOptions, ClientOptions {}

export interface ClientOptions {
  /**
   * Sent with every request.
   * @default "<program>/<version> trimtab/<version> (<platform>/<arch>)", with the program that the nearest package.json names
   */
  readonly userAgent?: string | undefined;
  /**
   * Owns the fields that this client writes: 1 to 128 printable characters.
   * @default the `userAgent` up to its first slash if it is given, else the name in the nearest package.json, else "trimtab"
   */
  readonly fieldManager?: string | undefined;
  /** Requests per second, and how many at once. @default no limit: the server has its own */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /**
   * How long one request waits, in all, for a server that answers 429 or 5xx with `Retry-After`. A response that asks for more is an
   * `ApiError` at once; its `retryAfterMs` says how long to wait. @default 60_000
   */
  readonly maxRetryWaitMs?: number | undefined;
  /**
   * Called once for each different warning of the server: deprecated versions, unknown fields, policies.
   * @default logs it at level "warn"
   */
  readonly onWarning?: OnWarning | undefined;
  /** @default warnings and errors, on standard error */
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  readonly http?: HttpTransportOptions | undefined;
  /** For what waits: retries, rate limits, watches. @default the machine's */
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Finds the cluster as kubectl does: what is given here, KUBECONFIG, in-cluster, ~/.kube/config. Sends nothing yet. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const log = logOf(options);
  return clientFor(await loadConfig({ ...options, log }), { ...options, log });
}

/** A client for a cluster that is already found, as `fromClientNode` does. */
export function clientFor(config: ClusterConfig, options: ClientOptions = {}): Client {
  return clientOver(httpTransport(config, options.http), { ...options, namespace: config.namespace });
}

/** A client over any transport: HTTP, or a server in this process. */
export function clientOver(
  transport: Transport,
  options: ClientOptions & { readonly namespace: string },
): Client {
  const { userAgent = defaultUserAgent(), fieldManager = defaultFieldManager(options) } = options;
  checkFieldManager("fieldManager", fieldManager);
  return new KubeClient({
    transport: withHeaders(patient(transport, options), { "user-agent": userAgent }),
    scope: { namespace: options.namespace, only: false },
    fieldManager,
    clock: options.clock,
    rng: options.rng,
  });
}

/** The transport with retries over measurements over the wire, so that each try is measured. */
function patient(transport: Transport, options: ClientOptions): Transport {
  const { metrics = noMetrics, rateLimit, clock, maxRetryWaitMs } = options;
  const log = logOf(options);
  const onWarning = warningsOnce((text) => warn(text, options.onWarning, log));
  const { server } = transport;
  const countRetry = retryCounter(metrics, server);
  return retrying(measured(transport, { metrics, onWarning, clock }), {
    clock,
    maxWaitMs: maxRetryWaitMs,
    limiter:
      rateLimit && measuredLimiter(new TokenBucket({ ...rateLimit, clock }), { metrics, server, clock }),
    onRetry(request, why) {
      countRetry(request, why);
      log.debug("trying again", { method: request.method, path: request.path, ...why });
    },
  });
}

/** A callback that throws does not fail the request whose response has the warning. */
function warn(text: string, onWarning: ClientOptions["onWarning"], log: Logger): void {
  try {
    if (onWarning) onWarning(text);
    else log.warn("API server warning", { text });
  } catch (error) {
    log.error("onWarning failed", { error: asError(error), text });
  }
}

/** Returns the logger of a client. A client without one still reports what its user has to act on. */
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
