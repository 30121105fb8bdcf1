import type { ResourceAttributes, SelfSubjectAccessReview } from "../api/types/authorization/v1.ts";
import type { Client } from "../client/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "../transport/index.ts";

/** What stands between a client and its server: answers itself, changes an answer, or does nothing of it. */
export type Between = (request: ApiRequest, send: () => Promise<ApiResponse>) => Promise<ApiResponse>;

export function between(client: Client, layer: Between): Client {
  return client.through(
    (transport): Transport => ({
      server: transport.server,
      send: (request) => layer(request, () => transport.send(request)),
      open: (request) => transport.open(request),
      close: () => transport.close(),
    }),
  );
}

/** The client of somebody who has these rights, on a server that has rules. */
export function withRights(client: Client, allowed: (asked: ResourceAttributes) => boolean): Client {
  return between(client, async ({ path }, send) => {
    const response = await send();
    if (!path.includes("/selfsubjectaccessreviews")) return response;
    const review = JSON.parse(String(response.body)) as SelfSubjectAccessReview; // what was asked is in it
    const status = { allowed: allowed(review.spec.resourceAttributes ?? {}) };
    return { ...response, body: Buffer.from(JSON.stringify({ ...review, status })) };
  });
}

/** The client of somebody who may not send requests to paths with this in them. */
export function forbidden(client: Client, part: string): Client {
  return between(client, (request, send) => (request.path.includes(part) ? refusal(request) : send()));
}

/** What a server says to who may not. */
export async function refusal({ method }: ApiRequest): Promise<ApiResponse> {
  const message = `User "clerk" cannot ${method} there`;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Forbidden",
    code: 403,
    message,
  };
  return { status: 403, headers: {}, body: Buffer.from(JSON.stringify(status)) };
}
