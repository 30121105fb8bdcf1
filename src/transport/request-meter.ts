import type { Counter, Histogram, Metrics } from "../base/index.ts";
import type { RetryReason } from "./retrying.ts";
import type { ApiRequest } from "./transport.ts";

/** An attempt of a request that has ended. */
export interface MeasuredAttempt {
  readonly method: string;
  /** The HTTP status, or "<error>" if there was no response. */
  readonly code: string;
  readonly seconds: number;
}

/**
 * Measures the requests to one server with client-go's metric names, in every `Metrics` that records it. A client has
 * one for its life, so that a manager can record a client that was created without metrics.
 */
export class RequestMeter {
  readonly #host: string;
  /** By one of their metrics: two `Metrics` of one registry have the same metrics, and count once. */
  readonly #recordings = new Map<object, Recording>();

  constructor(server: string) {
    this.#host = hostOf(server);
  }

  /** Records the requests from now on, until the result is disposed. */
  record(metrics: Metrics): Disposable {
    const created = instruments(metrics);
    const recording = this.#recordings.get(created.requests) ?? { ...created, users: 0 };
    this.#recordings.set(created.requests, recording);
    recording.users += 1;
    let disposed = false;
    return {
      [Symbol.dispose]: () => {
        if (disposed) return;
        disposed = true;
        recording.users -= 1;
        if (recording.users === 0) this.#recordings.delete(created.requests);
      },
    };
  }

  attempted({ method, code, seconds }: MeasuredAttempt): void {
    const host = this.#host;
    for (const { requests, durations } of this.#recordings.values()) {
      requests.add({ code, method, host });
      durations.observe({ verb: method, host }, seconds);
    }
  }

  /** Counts a retry, by the code of the failed attempt. */
  retried({ method }: ApiRequest, { code }: RetryReason): void {
    for (const { retries } of this.#recordings.values())
      retries.add({ code, verb: method, host: this.#host });
  }

  /** Observes how long a request waited for the client's rate limit. */
  waited({ method }: ApiRequest, seconds: number): void {
    for (const { waits } of this.#recordings.values())
      waits.observe({ verb: method, host: this.#host }, seconds);
  }

  sent({ method, body }: ApiRequest): void {
    if (this.#recordings.size === 0) return;
    const bytes = Buffer.byteLength(body ?? "");
    const labels = { verb: method, host: this.#host };
    for (const { requestSizes } of this.#recordings.values()) requestSizes.observe(labels, bytes);
  }

  received({ method }: ApiRequest, bytes: number): void {
    const labels = { verb: method, host: this.#host };
    for (const { responseSizes } of this.#recordings.values()) responseSizes.observe(labels, bytes);
  }
}

interface Instruments {
  readonly requests: Counter<"code" | "method" | "host">;
  readonly durations: Histogram<"verb" | "host">;
  readonly requestSizes: Histogram<"verb" | "host">;
  readonly responseSizes: Histogram<"verb" | "host">;
  readonly retries: Counter<"code" | "verb" | "host">;
  readonly waits: Histogram<"verb" | "host">;
}

interface Recording extends Instruments {
  /** Number of `record` calls that are not disposed. */
  users: number;
}

function instruments(metrics: Metrics): Instruments {
  return {
    requests: metrics.counter({
      name: "rest_client_requests_total",
      help: "HTTP requests by status code, method and host",
      labels: ["code", "method", "host"],
    }),
    durations: metrics.histogram({
      name: "rest_client_request_duration_seconds",
      help: "Time until the response, by verb and host",
      labels: ["verb", "host"],
      buckets: requestSeconds,
    }),
    requestSizes: sizes(metrics, "request"),
    responseSizes: sizes(metrics, "response"),
    retries: metrics.counter({
      name: "rest_client_request_retries_total",
      help: "Retried requests, by code of the failed attempt, verb and host",
      labels: ["code", "verb", "host"],
    }),
    waits: metrics.histogram({
      name: "rest_client_rate_limiter_duration_seconds",
      help: "Time that a request waited for the client's rate limit, by verb and host",
      labels: ["verb", "host"],
      buckets: requestSeconds,
    }),
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

/** Returns the server's host and port, or its whole name if it is not a URL. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
