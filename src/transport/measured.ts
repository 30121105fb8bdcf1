import { type Clock, type Metrics, realClock } from "../base/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "./transport.ts";
import { type OnWarning, warningsIn } from "./warnings.ts";

export interface MeasuredOptions {
  readonly metrics: Metrics;
  readonly onWarning: OnWarning;
  readonly clock?: Clock | undefined;
}

/**
 * Counts and times requests under client-go's names, and hands on what the server warns of.
 * It stands below retries, so that each try counts. A try without an answer has the code "<error>".
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
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  });
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
    send: (request) => observe(request, () => transport.send(request)),
    open: (request) => observe(request, () => transport.open(request)),
    close: () => transport.close(),
  };
}

type Answer = Pick<ApiResponse, "status" | "headers">;

/** The server's host and port, or all of what it is called where it is no URL. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
