import {
  createServer as createHttp,
  type IncomingMessage,
  type ServerResponse as NodeResponse,
} from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Authenticator, anybody } from "./authentication.ts";
import type { Handler, ServerRequest, ServerResponse, Sink } from "./exchange.ts";
import { StatusError, tooLarge, unauthorized } from "./status-error.ts";

export interface FrontOptions {
  /** @default a free one */
  readonly port?: number | undefined;
  /** Beyond loopback only with an `authenticate`. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** HTTPS with HTTP/2 and HTTP/1.1. @default plain HTTP/1.1 */
  readonly tls?: FrontTls | undefined;
  /** Who a request comes from. @default anybody is an administrator */
  readonly authenticate?: Authenticator | undefined;
}

export interface FrontTls {
  readonly cert: string;
  readonly key: string;
  /** Whose client certificates count. @default nobody's */
  readonly clientCa?: string | undefined;
}

/** A server's door to the network. */
export interface Front extends AsyncDisposable {
  /** Like "https://127.0.0.1:6443". */
  readonly url: string;
  /** Ends every request under way. Idempotent. */
  close(): Promise<void>;
}

/** Bodies may not be longer: what the real server takes. */
const maxBodyBytes = 3 * 1024 * 1024;

type Request = IncomingMessage | Http2ServerRequest;
type Response = NodeResponse | Http2ServerResponse;

/** Listens. Rejects with the system's error where it cannot, as when the port is taken. */
export async function listen(handler: Handler, options: FrontOptions = {}): Promise<Front> {
  const { port = 0, host = "127.0.0.1", tls, authenticate = anybody } = options;
  if (!options.authenticate && !isLoopback(host)) {
    throw new Error(`expected an authenticate option to listen on ${host}, which is not loopback, got none`);
  }
  const serve = (request: Request, response: Response): void =>
    void answer(handler, { request, response, authenticate });
  const server = tls ? createSecureServer({ ...secure(tls), allowHTTP1: true }, serve) : createHttp(serve);
  const sockets = socketsOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo; // a TCP server's is one
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= shut(server, sockets));
  return {
    url: `${tls ? "https" : "http"}://${bracketed(host)}:${taken}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function secure({ cert, key, clientCa }: FrontTls): object {
  return clientCa === undefined
    ? { cert, key }
    : { cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: false };
}

function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

function shut(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly authenticate: Authenticator;
}

async function answer(handler: Handler, { request, response, authenticate }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Error("the client is gone")));
  try {
    const asked = await readRequest(request, { authenticate, signal: gone.signal });
    if (gone.signal.aborted) return;
    send(response, asked instanceof StatusError ? refusal(asked) : await handler.handle(asked));
  } catch {
    response.destroy(); // the connection broke while the body came, or an answer could not be made: nothing can be said
  }
}

async function readRequest(
  request: Request,
  { authenticate, signal }: { readonly authenticate: Authenticator; readonly signal: AbortSignal },
): Promise<ServerRequest | StatusError> {
  const headers = joined(request.headers);
  const user = authenticate({ authorization: headers.authorization, certificate: certificateOf(request) });
  if (!user) return unauthorized();
  const body = await readBody(request);
  if (!body) return tooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
  const url = new URL(request.url ?? "/", "http://localhost");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    user,
    signal,
  };
}

/** What is refused before the server is asked. */
function refusal(error: StatusError): ServerResponse {
  const headers = { "content-type": "application/json", "cache-control": "no-cache, private" };
  return { type: "whole", status: error.code, headers, body: JSON.stringify(error.toStatus()) };
}

/** The whole body, or `undefined` where it is too long. */
async function readBody(request: Request): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function send(response: Response, answer: ServerResponse): void {
  // both kinds of Node response have the same methods; their types do not overlap
  const out = response as NodeResponse;
  out.writeHead(answer.status, answer.headers as Record<string, string | string[]>);
  if (answer.type === "whole") out.end(answer.body);
  else {
    out.flushHeaders?.();
    answer.start(sinkOf(out));
  }
}

function sinkOf(out: NodeResponse): Sink {
  return {
    write: (chunk) => out.write(chunk),
    onDrain: (listener) => void out.on("drain", listener),
    end: () => void out.end(),
  };
}

function joined(headers: Request["headers"]): ServerRequest["headers"] {
  const texts: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(":")) texts[name] = typeof value === "string" ? value : value?.join(", ");
  }
  return texts;
}

/** The client's certificate, where it showed one that the client CA signed. */
function certificateOf(
  request: Request,
): { readonly subject: Readonly<Record<string, unknown>> } | undefined {
  const socket = request.socket as TLSSocket;
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  return subject && { subject: { ...subject } };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
