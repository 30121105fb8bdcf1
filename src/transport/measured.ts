import { type Clock, realClock } from "../base/index.ts";
import { ApiError } from "./api-error.ts";
import type { RequestMeter } from "./request-meter.ts";
import type { RequestLimiter } from "./retrying.ts";
import {
  type ApiRequest,
  type ApiResponse,
  type MessageConnection,
  type Transport,
  type Upgrade,
  type UpgradeRequest,
  upgradeThrough,
} from "./transport.ts";
import { type OnWarning, warningsIn } from "./warnings.ts";

export interface MeasuredOptions {
  readonly meter: RequestMeter;
  readonly onWarning: OnWarning;
  readonly clock?: Clock | undefined;
}

/**
 * Measures requests, and reports the server's warnings. Use it below `retrying`, so that each attempt is counted. An
 * attempt without a response has the code "<error>". The size of an opened response is not measured.
 */
export function measured(transport: Transport, options: MeasuredOptions): Transport {
  const { meter, onWarning, clock = realClock } = options;
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
      meter.attempted({ method, code, seconds: (clock.monotonic() - startMs) / 1000 });
    }
  };
  return {
    server: transport.server,
    async send(request) {
      meter.sent(request);
      const response = await observe(request, () => transport.send(request));
      meter.received(request, response.bodyBytes ?? response.body.length);
      return response;
    },
    open: (request) => observe(request, () => transport.open(request)),
    upgrade: upgradeThrough(transport, (request, upgrade) =>
      measuredUpgrade(request, upgrade, { meter, clock }),
    ),
    close: () => transport.close(),
  };
}

/** Measures the opening of a WebSocket. The code of one that is open is 101. */
async function measuredUpgrade(
  request: UpgradeRequest,
  upgrade: Upgrade,
  { meter, clock = realClock }: Pick<MeasuredOptions, "meter" | "clock">,
): Promise<MessageConnection> {
  const { method } = request;
  const startMs = clock.monotonic();
  let code = "101";
  try {
    return await upgrade(request);
  } catch (error) {
    code = error instanceof ApiError ? String(error.code) : "<error>";
    throw error;
  } finally {
    meter.attempted({ method, code, seconds: (clock.monotonic() - startMs) / 1000 });
  }
}

/** Measures how long requests wait for the client's rate limit. */
export function measuredLimiter(
  limiter: RequestLimiter,
  { meter, clock = realClock }: Pick<MeasuredOptions, "meter" | "clock">,
): RequestLimiter {
  return {
    async take(request) {
      const startMs = clock.monotonic();
      await limiter.take(request);
      meter.waited(request, (clock.monotonic() - startMs) / 1000);
    },
  };
}

type ResponseHead = Pick<ApiResponse, "status" | "headers">;
