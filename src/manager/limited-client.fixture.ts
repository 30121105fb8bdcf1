import type { ResourceAttributes, SelfSubjectAccessReview } from "../api/types/authorization/v1.ts";
import type { Client } from "../client/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "../transport/index.ts";

/** Intercepts requests: it may respond itself or change the response of the server. */
export type Interceptor = (request: ApiRequest, send: () => Promise<ApiResponse>) => Promise<ApiResponse>;

export function between(client: Client, layer: Interceptor): Client {
  return client.through(
    (transport): Transport => ({
      server: transport.server,
      send: (request) => layer(request, () => transport.send(request)),
      open: (request) => transport.open(request),
      close: () => transport.close(),
    }),
  );
}

/** Returns a client whose access reviews allow only these attributes. */
export function withPermissions(
  client: Client,
  allowed: (attributes: ResourceAttributes) => boolean,
): Client {
  return between(client, async ({ path }, send) => {
    const response = await send();
    if (!path.includes("/selfsubjectaccessreviews")) return response;
    const review = JSON.parse(String(response.body)) as SelfSubjectAccessReview; // the response contains the spec
    const status = { allowed: allowed(review.spec.resourceAttributes ?? {}) };
    return { ...response, body: Buffer.from(JSON.stringify({ ...review, status })) };
  });
}

/** Returns a client that gets 403 for paths that contain `part`. */
export function forbidden(client: Client, part: string): Client {
  return between(client, (request, send) => (request.path.includes(part) ? refusal(request) : send()));
}

/** Returns the 403 response of a server. */
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
