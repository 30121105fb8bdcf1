import {
  asError,
  type Clock,
  isLoopback,
  type Logger,
  type PrometheusMetrics,
  realClock,
} from "../../base/index.ts";
import { ConfigError } from "../../client/index.ts";
import type { Guard } from "./access-guard.ts";
import {
  type HttpReply,
  type HttpRequest,
  HttpServer,
  notFound,
  type TlsOptions,
  text,
} from "./http-server.ts";
import { Profiles } from "./profiles.ts";

export interface MetricsServerOptions {
  readonly port: number;
  readonly host?: string | undefined;
  readonly metrics: Pick<PrometheusMetrics, "text" | "contentType">;
  /** Serves metrics of the process too. @default true */
  readonly process?: boolean | undefined;
  /** Serves HTTPS. @default HTTP */
  readonly tls?: TlsOptions | undefined;
  /** Checks every request first, such as an `accessGuard`. @default no check */
  readonly guard?: Guard | undefined;
  /** Serves `/debug/pprof/` too, which exposes memory contents and costs CPU time: see `Profiles`. @default false */
  readonly profiling?: boolean | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** Serves `/metrics` in the Prometheus text format. */
export function metricsServer(options: MetricsServerOptions): HttpServer {
  const { port, host, tls, guard, log, clock = realClock } = options;
  checkProfiling(options);
  const profiles = options.profiling ? new Profiles(clock) : undefined;
  const page = (request: HttpRequest): Promise<HttpReply> | HttpReply => {
    if (request.path === "/metrics") return scraped(options);
    return profiles?.respond(request) ?? notFound;
  };
  const handler = async (request: HttpRequest): Promise<HttpReply> =>
    (await guard?.(request)) ?? page(request);
  return new HttpServer({ name: "metrics", port, host, tls, handler, log, clock });
}

/** Throws if profiles would be public: the memory of a process contains secrets. */
function checkProfiling({ profiling, guard, host }: MetricsServerOptions): void {
  if (!profiling || guard || (host !== undefined && isLoopback(host))) return;
  throw new ConfigError(
    `expected profiles to be guarded or served on loopback only, got ${host ?? "every address"}; ` +
      'set metrics.guarded, or metrics.host to "127.0.0.1"',
  );
}

async function scraped({ metrics, process = true }: MetricsServerOptions): Promise<HttpReply> {
  try {
    return text(200, await metrics.text({ process }), { "content-type": metrics.contentType });
  } catch (error) {
    return text(500, `expected metrics, got: ${asError(error).message}\n`);
  }
}
