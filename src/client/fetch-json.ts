import { type ApiRequest, apiErrorFrom, parseBody, type Transport } from "../transport/index.ts";

/** Sends and parses, or throws what the answer stands for. */
export async function fetchJson<T>(transport: Transport, request: ApiRequest): Promise<T> {
  const response = await transport.send(request);
  if (response.status < 200 || response.status > 299) throw apiErrorFrom(request, response);
  return parseBody<T>(request, response);
}
