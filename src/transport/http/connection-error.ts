import type { ApiRequest } from "../transport.ts";
import { ProxyError } from "./proxy-error.ts";

/** A request without a complete response. `code` is the error code of Node or undici. */
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

/** The destination of a request, for messages. */
export interface Destination {
  readonly server: string;
  /** The source of the server's address. */
  readonly origin: string;
  /** The source of the proxy's URL. @default "proxyUrl" */
  readonly proxyOrigin?: string | undefined;
}

/** Returns an error that names the request, the failure and what to check. */
export function connectionError(cause: Error, request: ApiRequest, to: Destination): ConnectionError {
  const code = codeOf(cause);
  const action = cause instanceof ProxyError ? `check ${to.proxyOrigin ?? "proxyUrl"}` : adviceFor(code);
  const text =
    `expected a response to ${request.method} ${request.path} from ${to.server}, ` +
    `got ${describe(code, cause)}${action ? `: ${action}` : ""} (server from ${to.origin})`;
  return new ConnectionError(text, { code, request, cause });
}

/** Returns true if an established connection broke, as when a server restarts or a load balancer drops it. */
export function isReset(error: unknown): boolean {
  return error instanceof ConnectionError && resetCodes.has(error.code);
}

/** Returns true if the connection or the response timed out. */
export function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionError && timeoutCodes.has(error.code);
}

/**
 * Returns true if the TLS handshake failed: one side does not accept the other's certificate, or does not speak TLS.
 */
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

/** Matches Node's codes for rejected certificates, which are those of OpenSSL. */
const certificateCodes = /CERT|UNABLE_TO_VERIFY/;

const resetCodes = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "UND_ERR_SOCKET", // the server closed the connection before the response was complete
  "UND_ERR_INFO",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", // truncated body
  "HPE_INVALID_EOF_STATE", // truncated chunked body
  "Z_BUF_ERROR", // truncated gzip body
]);
const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const untrusted = "its certificate is not trusted; is certificate-authority the right one for this cluster?";
const notTls = "the server does not speak TLS; should its URL begin with http:?";
const truncated = "the response is incomplete";

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at this address; is the API server running?",
  ENOTFOUND: "the host name is unknown; is it spelled correctly?",
  EAI_AGAIN: "the DNS server does not respond",
  EHOSTUNREACH: "no route to the host; is the network up?",
  ENETUNREACH: "no route to the network; is the network up?",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out; does a firewall block it?",
  UND_ERR_HEADERS_TIMEOUT: "the server accepted the connection but did not respond in time",
  UND_ERR_BODY_TIMEOUT: "the response began but did not continue in time",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: truncated,
  HPE_INVALID_EOF_STATE: truncated,
  Z_BUF_ERROR: truncated,
  Z_DATA_ERROR: "the gzip body is corrupt; does a proxy change it? Set http.gzip to false to disable gzip",
  HPE_INVALID_CHUNK_SIZE: "the response is corrupt; does a proxy change it?",
  UND_ERR_DESTROYED: "the transport was closed",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet; are the clocks right?",
  CERT_FOR_ANOTHER_NAME: "its certificate is for another name; is tls-server-name needed?",
  EPROTO: "TLS failed; does the server speak https?",
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
};

function adviceFor(code: string): string | undefined {
  if (advice[code] !== undefined) return advice[code];
  if (code.startsWith("HPE_"))
    return "the server does not speak HTTP; are the port and the scheme (http or https) correct?";
  return code.startsWith("ERR_OSSL_") ? "a certificate or key cannot be read; is it PEM?" : undefined;
}

function codeOf(cause: Error): string {
  const code: unknown = Reflect.get(cause, "code");
  if (typeof code === "string") return code;
  if (cause.name !== "HTTPParserError") return cause.name;
  return cause.message.includes("Invalid EOF state") ? "HPE_INVALID_EOF_STATE" : "HPE_INVALID"; // undici sets no code
}

function describe(code: string, cause: Error): string {
  const reason: unknown = Reflect.get(cause, "reason"); // OpenSSL's message also contains positions in its source code
  const text = code.startsWith("ERR_SSL_") && typeof reason === "string" ? reason : cause.message;
  return text.includes(code) ? text : `${code} (${text})`;
}
