import type { Client } from "trimtab/client";

export interface RawRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  /** Body, sent unchanged. @default none */
  readonly body?: string | undefined;
  /** Content type of the body. @default "application/json" */
  readonly type?: string | undefined;
  readonly accept?: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  /** The body parsed as JSON. */
  readonly body: unknown;
}

/** Sends a request that the client would not send, and returns any response. */
export async function raw(
  { transport }: Client,
  path: string,
  { method = "GET", body, type = "application/json", accept = "application/json" }: RawRequest = {},
): Promise<RawAnswer> {
  const headers = { accept, ...(body !== undefined && { "content-type": type }) };
  const response = await transport.send({ method, path, body, headers });
  return { status: response.status, body: JSON.parse(response.body.toString()) };
}
