import { deferred } from "../base/index.ts";
import { ConnectionError } from "./http/connection-error.ts";
import type {
  ApiRequest,
  ApiResponse,
  MessageConnection,
  OpenResponse,
  ResponseHeaders,
  Transport,
  Upgrade,
  UpgradeRequest,
} from "./transport.ts";

/** The result of one attempt. */
export type Scripted = ApiResponse | Error;

/** A transport with scripted responses that records requests and closed responses. */
export interface ScriptedTransport extends Transport {
  readonly requests: ApiRequest[];
  /** How often each response of `open` was closed, in order. */
  readonly closed: number[];
}

/** Returns a transport with these responses in order. The last one is repeated. */
export function scripted(...script: readonly Scripted[]): ScriptedTransport {
  const requests: ApiRequest[] = [];
  const closed: number[] = [];
  const next = async (request: ApiRequest): Promise<ApiResponse> => {
    const response = script[Math.min(requests.push(request), script.length) - 1];
    if (response instanceof Error) throw response;
    return response ?? status(200);
  };
  return {
    server: "https://10.0.0.1:6443",
    requests,
    closed,
    send: next,
    async open(request): Promise<OpenResponse> {
      const response = await next(request);
      const index = closed.push(0) - 1;
      const close = (): void => {
        closed[index] = (closed[index] ?? 0) + 1;
      };
      return { ...response, receive() {}, pause() {}, resume() {}, close };
    },
    close: async () => {},
  };
}

/** A transport that opens WebSockets, and records the requests for them. */
export interface UpgradableTransport extends ScriptedTransport {
  readonly upgrades: UpgradeRequest[];
  readonly upgrade: Upgrade;
}

/** Returns a transport whose WebSockets have this result. */
export function upgradable(result: MessageConnection | Error): UpgradableTransport {
  const upgrades: UpgradeRequest[] = [];
  return {
    ...scripted(),
    upgrades,
    async upgrade(request) {
      upgrades.push(request);
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

/** Returns a WebSocket without messages, which is open until it is closed. */
export function openConnection(): MessageConnection {
  const closed = deferred<void>();
  const close = (): void => closed.resolve();
  return { receive() {}, send() {}, pause() {}, resume() {}, close, closed: closed.promise };
}

export function status(code: number, headers: ResponseHeaders = {}, body = ""): ApiResponse {
  return { status: code, headers, body: Buffer.from(body) };
}

export function broken(code: string): ConnectionError {
  return new ConnectionError(`got ${code}`, { code, request: { method: "GET", path: "/" } });
}
