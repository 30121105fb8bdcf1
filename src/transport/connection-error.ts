import type { ApiRequest } from "./transport.ts";

/** There was no answer, or it broke off. `code` is Node's or undici's own word for what happened. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  readonly code: string;
  readonly request: Pick<ApiRequest, "method" | "path">;

  constructor(message: string, details: ConnectionErrorDetails) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.request = { method: details.request.method, path: details.request.path };
  }
}

export interface ConnectionErrorDetails {
  readonly code: string;
  readonly request: Pick<ApiRequest, "method" | "path">;
  readonly cause?: unknown;
}

/** Where a request went, for the message. */
export interface Destination {
  readonly server: string;
  /** Where the server's address came from. */
  readonly origin: string;
}

/** Says what went wrong on the way to the server, and what to look at. */
export function connectionError(cause: Error, request: ApiRequest, to: Destination): ConnectionError {
  const code = codeOf(cause);
  const advice = adviceFor(code);
  const text =
    `expected an answer to ${request.method} ${request.path} from ${to.server}, ` +
    `got ${describe(code, cause)}${advice ? `: ${advice}` : ""} (server from ${to.origin})`;
  return new ConnectionError(text, { code, request, cause });
}

/** Whether the connection broke after it stood, as when a server restarts or a balancer drops it. */
export function isReset(error: unknown): boolean {
  return error instanceof ConnectionError && resetCodes.has(error.code);
}

/** Whether an answer was waited for in vain. */
export function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionError && timeoutCodes.has(error.code);
}

const resetCodes = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "ERR_HTTP2_STREAM_ERROR",
  "UND_ERR_INFO",
]);
const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; is the API server running?",
  ENOTFOUND: "that host name is unknown; is it spelled right?",
  EAI_AGAIN: "the name server does not answer",
  EHOSTUNREACH: "no route to that host; is the network up?",
  ENETUNREACH: "no route to that network; is the network up?",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time; is a firewall between?",
  UND_ERR_HEADERS_TIMEOUT: "connected, but no answer in time",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "its certificate is not trusted; is certificate-authority set for this cluster?",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted; is certificate-authority set for this cluster?",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted; is certificate-authority the right one?",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "its certificate is not trusted; is certificate-authority the right one?",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name; is tls-server-name needed?",
  HPE_INVALID_CONSTANT: "that is not HTTP; is the port right, and https where it should be?",
  EPROTO: "TLS failed; is it https there?",
  ERR_SSL_WRONG_VERSION_NUMBER: "that is not TLS; should the server's URL begin with http:?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "that is not TLS; should the server's URL begin with http:?",
};

function adviceFor(code: string): string | undefined {
  if (code.startsWith("HPE_")) return advice.HPE_INVALID_CONSTANT;
  return advice[code];
}

function codeOf(cause: Error): string {
  const code: unknown = Reflect.get(cause, "code");
  return typeof code === "string" ? code : cause.name;
}

function describe(code: string, cause: Error): string {
  return cause.message.includes(code) ? cause.message : `${code} (${cause.message})`;
}
