import {
  type ApiRequest,
  type ApiResponse,
  apiErrorFrom,
  parseBody,
  type Transport,
} from "../transport/index.ts";

/** Sends and parses, or throws what the answer stands for. @param onResponseBody is told of a success, as it came */
export async function fetchJson<T>(
  transport: Transport,
  request: ApiRequest,
  onResponseBody?: (body: Buffer) => void,
): Promise<T> {
  const response = await fetchBody(transport, request);
  onResponseBody?.(response.body);
  return parseBody<T>(request, response);
}

/** Sends, and gives a success as it came; throws what any other answer stands for. */
export async function fetchBody(transport: Transport, request: ApiRequest): Promise<ApiResponse> {
  const response = await transport.send(request);
  if (response.status < 200 || response.status > 299) throw apiErrorFrom(request, response);
  return response;
}
