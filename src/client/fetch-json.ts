import {
  type ApiRequest,
  type ApiResponse,
  apiErrorFrom,
  parseBody,
  type Transport,
} from "../transport/index.ts";

/**
 * Sends a request and parses the response. Throws an `ApiError` for a failed response.
 * @param onResponseBody receives the body of a successful response before it is parsed
 */
export async function fetchJson<T>(
  transport: Transport,
  request: ApiRequest,
  onResponseBody?: (body: Buffer) => void,
): Promise<T> {
  const response = await fetchBody(transport, request);
  onResponseBody?.(response.body);
  return parseBody<T>(request, response);
}

/** Sends a request and returns a successful response. Throws an `ApiError` for any other. */
export async function fetchBody(transport: Transport, request: ApiRequest): Promise<ApiResponse> {
  const response = await transport.send(request);
  if (response.status < 200 || response.status > 299) throw apiErrorFrom(request, response);
  return response;
}
