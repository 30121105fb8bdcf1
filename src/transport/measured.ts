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
 * Counts and times requests under client-go's names, and hands on what the server warns of.
 * It stands below retries, so that each try counts. A try without an answer has the code "<error>". The size of an
 * opened response is not known, and not counted.
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
    help: "Time until an answer, by verb and host",
    labels: ["verb", "host"],
    buckets: requestSeconds,
  });
  const requestSizes = sizes(metrics, "request");
  const responseSizes = sizes(metrics, "response");
  const observe = async <R extends Answer>({ method }: ApiRequest, answer: () => Promise<R>): Promise<R> => {
    const startMs = clock.monotonic();
    let code = "<error>";
    try {
      const response = await answer();
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

/** Counts retries under client-go's name. */
export function retryCounter(
  metrics: Metrics,
  server: string,
): (request: ApiRequest, why: RetryReason) => void {
  const host = hostOf(server);
  const retries = metrics.counter({
    name: "rest_client_request_retries_total",
    help: "Requests sent again, by what ended the try before, verb and host",
    labels: ["code", "verb", "host"],
  });
  return ({ method }, { code }) => retries.add({ code, verb: method, host });
}

/** Times what requests wait for a limit of our own, under client-go's name. */
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
    help: "Time that a request waited for the client's own rate limit, by verb and host",
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

type Answer = Pick<ApiResponse, "status" | "headers">;

/** The server's host and port, or all of what it is called where it is no URL. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
