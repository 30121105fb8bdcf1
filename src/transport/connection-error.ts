import { ProxyError } from "./proxy-error.ts";
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
  /** Where the URL of the proxy came from. @default "proxyUrl" */
  readonly proxyOrigin?: string | undefined;
}

/** Says what went wrong on the way to the server, and what to look at. */
export function connectionError(cause: Error, request: ApiRequest, to: Destination): ConnectionError {
  const code = codeOf(cause);
  const look = cause instanceof ProxyError ? `check ${to.proxyOrigin ?? "proxyUrl"}` : adviceFor(code);
  const text =
    `expected an answer to ${request.method} ${request.path} from ${to.server}, ` +
    `got ${describe(code, cause)}${look ? `: ${look}` : ""} (server from ${to.origin})`;
  return new ConnectionError(text, { code, request, cause });
}

/** Whether the connection broke after it stood, as when a server restarts or a balancer drops it. */
export function isReset(error: unknown): boolean {
  return error instanceof ConnectionError && resetCodes.has(error.code);
}

/** Whether a connection or an answer was waited for in vain. */
export function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionError && timeoutCodes.has(error.code);
}

/** Whether the TLS handshake failed: one side does not accept the certificate of the other, or does not speak TLS. */
export function isHandshakeFailure(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  const { code } = error;
  return (
    code === "EPROTO" ||
    code.startsWith("ERR_SSL_") ||
    code.startsWith("ERR_TLS_") ||
    certificateCodes.test(code)
  );
}

/** Node's codes for certificates that it does not accept are those of OpenSSL. */
const certificateCodes = /CERT|UNABLE_TO_VERIFY/;

const resetCodes = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "UND_ERR_SOCKET", // closed by the other side before the answer was whole
  "UND_ERR_INFO",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", // a body cut short
  "HPE_INVALID_EOF_STATE", // a body in chunks cut short
  "Z_BUF_ERROR", // a body in gzip cut short
]);
const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const untrusted = "its certificate is not trusted; is certificate-authority the right one for this cluster?";
const notTls = "that is not TLS; should the server's URL begin with http:?";
const brokeOff = "the answer broke off";

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; is the API server running?",
  ENOTFOUND: "that host name is unknown; is it spelled right?",
  EAI_AGAIN: "the name server does not answer",
  EHOSTUNREACH: "no route to that host; is the network up?",
  ENETUNREACH: "no route to that network; is the network up?",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time; is a firewall between?",
  UND_ERR_HEADERS_TIMEOUT: "connected, but no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer began, but did not go on in time",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: brokeOff,
  HPE_INVALID_EOF_STATE: brokeOff,
  Z_BUF_ERROR: brokeOff,
  Z_DATA_ERROR:
    "the gzip of the answer is corrupt; does a proxy change it? Set http.gzip to false to go without",
  HPE_INVALID_CHUNK_SIZE: "the answer is garbled; is something between that changes it?",
  UND_ERR_DESTROYED: "the transport was closed",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet; are the clocks right?",
  CERT_FOR_ANOTHER_NAME: "its certificate is for another name; is tls-server-name needed?",
  EPROTO: "TLS failed; is it https there?",
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
};

function adviceFor(code: string): string | undefined {
  if (advice[code] !== undefined) return advice[code];
  if (code.startsWith("HPE_")) return "that is not HTTP; is the port right, and https where it should be?";
  return code.startsWith("ERR_OSSL_") ? "a certificate or key cannot be read; is it PEM?" : undefined;
}

function codeOf(cause: Error): string {
  const code: unknown = Reflect.get(cause, "code");
  if (typeof code === "string") return code;
  if (cause.name !== "HTTPParserError") return cause.name;
  return cause.message.includes("Invalid EOF state") ? "HPE_INVALID_EOF_STATE" : "HPE_INVALID"; // undici leaves it out
}

function describe(code: string, cause: Error): string {
  const reason: unknown = Reflect.get(cause, "reason"); // OpenSSL's message also has places in its source
  const text = code.startsWith("ERR_SSL_") && typeof reason === "string" ? reason : cause.message;
  return text.includes(code) ? text : `${code} (${text})`;
}
