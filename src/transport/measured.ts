import { type Clock, type Histogram, type Metrics, realClock } from "../base/index.ts";
import type { RequestLimiter, RetryReason } from "./retrying.ts";
import type { ApiRequest, ApiResponse, Transport } from "./transport.ts";
import { type OnWarning, warningsIn } from "./warnings.ts";

export interface MeasuredOptions {
  readonly metrics: Metrics;
  readonly onWarning: OnWarning;
  readonly clock?: Clock | undefined;
}

/**
 * Measures requests with client-go's metric names, and reports the server's warnings. Use it below `retrying`, so that
 * each attempt is counted. An attempt without a response has the code "<error>". The size of an opened response is not
 * measured.
 */
export function measured(transport: Transport, options: MeasuredOptions): Transport {
  const { metrics, onWarning, clock = realClock } = options;
  const host = hostOf(transport.server);
  const requests = metrics.counter({
    name: "rest_client_requests_total",
    help: "HTTP requests by status code, method and host",
    labels: ["code", "method", "host"],
  });
  const durations = metrics.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time until the response, by verb and host",
    labels: ["verb", "host"],
    buckets: requestSeconds,
  });
  const requestSizes = sizes(metrics, "request");
  const responseSizes = sizes(metrics, "response");
  const observe = async <R extends ResponseHead>(
    { method }: ApiRequest,
    send: () => Promise<R>,
  ): Promise<R> => {
    const startMs = clock.monotonic();
    let code = "<error>";
    try {
      const response = await send();
      code = String(response.status);
      if (response.headers.warning !== undefined) warningsIn(response.headers).forEach(onWarning);
      return response;
    } finally {
      requests.add({ code, method, host });
      durations.observe({ verb: method, host }, (clock.monotonic() - startMs) / 1000);
    }
  };
  return {
    server: transport.server,
    async send(request) {
      const labels = { verb: request.method, host };
      requestSizes.observe(labels, Buffer.byteLength(request.body ?? ""));
      const response = await observe(request, () => transport.send(request));
      responseSizes.observe(labels, response.bodyBytes ?? response.body.length);
      return response;
    },
    open: (request) => observe(request, () => transport.open(request)),
    close: () => transport.close(),
  };
}

/** Returns a function that counts retries with client-go's metric name. */
export function retryCounter(
  metrics: Metrics,
  server: string,
): (request: ApiRequest, reason: RetryReason) => void {
  const host = hostOf(server);
  const retries = metrics.counter({
    name: "rest_client_request_retries_total",
    help: "Retried requests, by code of the failed attempt, verb and host",
    labels: ["code", "verb", "host"],
  });
  return ({ method }, { code }) => retries.add({ code, verb: method, host });
}

/** Measures how long requests wait for the client's rate limit, with client-go's metric name. */
export function measuredLimiter(
  limiter: RequestLimiter,
  {
    metrics,
    server,
    clock = realClock,
  }: Pick<MeasuredOptions, "metrics" | "clock"> & { readonly server: string },
): RequestLimiter {
  const host = hostOf(server);
  const waits = metrics.histogram({
    name: "rest_client_rate_limiter_duration_seconds",
    help: "Time that a request waited for the client's rate limit, by verb and host",
    labels: ["verb", "host"],
    buckets: requestSeconds,
  });
  return {
    async take(request) {
      const startMs = clock.monotonic();
      await limiter.take(request);
      waits.observe({ verb: request.method, host }, (clock.monotonic() - startMs) / 1000);
    },
  };
}

function sizes(metrics: Metrics, of: "request" | "response"): Histogram<"verb" | "host"> {
  return metrics.histogram({
    name: `rest_client_${of}_size_bytes`,
    help: `Size of a ${of}'s body, by verb and host`,
    labels: ["verb", "host"],
    buckets: [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216],
  });
}

const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

type ResponseHead = Pick<ApiResponse, "status" | "headers">;

/** Returns the server's host and port, or its whole name if it is not a URL. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
