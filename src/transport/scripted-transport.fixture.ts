import { ConnectionError } from "./connection-error.ts";
import type { ApiRequest, ApiResponse, OpenResponse, ResponseHeaders, Transport } from "./transport.ts";

/** What a try is answered with. */
export type Scripted = ApiResponse | Error;

/** A transport that answers from a list, and notes what it was asked and what was closed. */
export interface ScriptedTransport extends Transport {
  readonly asked: ApiRequest[];
  /** How often each answer to `open` was closed, in order. */
  readonly closed: number[];
}

/** The last answer goes on being given. */
export function scripted(...script: readonly Scripted[]): ScriptedTransport {
  const asked: ApiRequest[] = [];
  const closed: number[] = [];
  const next = async (request: ApiRequest): Promise<ApiResponse> => {
    const answer = script[Math.min(asked.push(request), script.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer ?? status(200);
  };
  return {
    server: "https://10.0.0.1:6443",
    asked,
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
