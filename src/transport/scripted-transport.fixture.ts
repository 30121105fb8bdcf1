import { ConnectionError } from "./http/connection-error.ts";
import type { ApiRequest, ApiResponse, OpenResponse, ResponseHeaders, Transport } from "./transport.ts";

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

export function status(code: number, headers: ResponseHeaders = {}, body = ""): ApiResponse {
  return { status: code, headers, body: Buffer.from(body) };
}

export function broken(code: string): ConnectionError {
  return new ConnectionError(`got ${code}`, { code, request: { method: "GET", path: "/" } });
}
