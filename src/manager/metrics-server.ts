import { asError, type Clock, type Logger, type PrometheusMetrics, realClock } from "../base/index.ts";
import type { Guard } from "./access-guard.ts";
import { type HttpReply, type HttpRequest, HttpServer, notFound, text } from "./http-server.ts";
import { Profiles } from "./profiles.ts";

export interface MetricsServerOptions {
  readonly port: number;
  readonly host?: string | undefined;
  readonly metrics: Pick<PrometheusMetrics, "text" | "contentType">;
  /** Looks at every request first, such as an `accessGuard`. @default anybody may read */
  readonly guard?: Guard | undefined;
  /** Serves `/debug/pprof/` too, which says much of the process and costs it time: see `Profiles`. @default false */
  readonly profiling?: boolean | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** Serves `/metrics` in the Prometheus text format. */
export function metricsServer(options: MetricsServerOptions): HttpServer {
  const { port, host, metrics, guard, log, clock = realClock } = options;
  const profiles = options.profiling ? new Profiles(clock) : undefined;
  const page = (request: HttpRequest): Promise<HttpReply> | HttpReply => {
    if (request.path === "/metrics") return scraped(metrics);
    return profiles?.answer(request) ?? notFound;
  };
  const handler = async (request: HttpRequest): Promise<HttpReply> =>
    (await guard?.(request)) ?? page(request);
  return new HttpServer({ name: "metrics", port, host, handler, log, clock });
}

async function scraped(metrics: MetricsServerOptions["metrics"]): Promise<HttpReply> {
  try {
    return text(200, await metrics.text(), { "content-type": metrics.contentType });
  } catch (error) {
    return text(500, `expected metrics, got: ${asError(error).message}\n`);
  }
}
