import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { asError } from "../../base/index.ts";
import { createAuthority } from "../../certificates/index.ts";

/** An HTTPS server that answers reviews. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly caBundle: string;
  /** Number of connections that clients have opened. */
  readonly connections: number;
  onConnection(listener: (socket: Socket) => void): void;
}

export interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly [field: string]: unknown };
}

const authority = createAuthority("webhooks");

/** Starts a server whose certificate is for `host`. */
export async function webhookServer(
  respond: (review: Review) => object | Promise<object>,
  host = "127.0.0.1",
): Promise<WebhookServer> {
  let connections = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
    const { kind, apiVersion } = review;
    const answer = { uid: review.request.uid, ...(await respond(review)) };
    response.end(JSON.stringify({ kind, apiVersion, response: answer }));
  };
  const server = createServer(authority.server([host]), (request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(asError(error)));
  });
  server.on("secureConnection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.cert).toString("base64"),
    get connections() {
      return connections;
    },
    onConnection(listener) {
      server.on("connection", listener);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
