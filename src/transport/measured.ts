import { type Clock, type Metrics, realClock } from "../base/index.ts";
import type { ApiRequest, Transport } from "./transport.ts";
import { type OnWarning, warningsIn } from "./warnings.ts";

export interface MeasuredOptions {
  readonly metrics: Metrics;
  readonly onWarning: OnWarning;
  readonly clock?: Clock | undefined;
}

/**
 * Counts and times requests under client-go's names, and hands on what the server warns of.
 * It stands below retries, so that each try counts.
 */
export function measured(
  transport: Transport,
  { metrics, onWarning, clock = realClock }: MeasuredOptions,
): Transport {
  const { host } = new URL(transport.server);
  const requests = metrics.counter({
    name: "rest_client_requests_total",
    help: "HTTP requests by status code, method and host",
    labels: ["code", "method", "host"],
  });
  const durations = metrics.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time until an answer, by verb and host",
    labels: ["verb", "host"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 45, 60],
  });
  const watch = async <R extends Answer>({ method }: ApiRequest, answer: Promise<R>): Promise<R> => {
    const startMs = clock.monotonic();
    let code = "<error>";
    try {
      const response = await answer;
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
    send: (request) => watch(request, transport.send(request)),
    open: (request) => watch(request, transport.open(request)),
    close: () => transport.close(),
  };
}

type Answer = Awaited<ReturnType<Transport["open" | "send"]>>;
