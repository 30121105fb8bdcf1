import type { ApiRequest, RequestHeaders, Transport } from "./transport.ts";

/** Sends `headers` with every request; a request's own win. Closing it closes what is below. */
export function withHeaders(transport: Transport, headers: RequestHeaders): Transport {
  const add = (request: ApiRequest): ApiRequest => ({
    ...request,
    headers: { ...headers, ...request.headers },
  });
  return {
    server: transport.server,
    send: (request) => transport.send(add(request)),
    open: (request) => transport.open(add(request)),
    close: () => transport.close(),
  };
}
