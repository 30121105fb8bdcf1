/** Thrown if a webhook cannot be called, or its response cannot be used. The message is that of kube-apiserver. */
export class WebhookCallError extends Error {
  override readonly name: string = "WebhookCallError";
}

/** Returns the text with which Go reports an error of a connection. */
export function connectionErrorText(error: unknown, address: string): string {
  const { code = "", message = "" } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  const text = texts.get(code);
  if (text !== undefined) return text.replace("{address}", address);
  return certificateErrors.get(code) ?? message;
}

const texts: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "dial tcp {address}: connect: connection refused"],
  ["EHOSTUNREACH", "dial tcp {address}: connect: no route to host"],
  ["ENETUNREACH", "dial tcp {address}: connect: network is unreachable"],
  ["ETIMEDOUT", "dial tcp {address}: i/o timeout"],
  ["ENOTFOUND", "dial tcp: lookup {address}: no such host"],
  ["EAI_AGAIN", "dial tcp: lookup {address}: no such host"],
  ["ECONNRESET", "EOF"],
  ["EPIPE", "write: broken pipe"],
  ["EPROTO", "http: server gave HTTP response to HTTPS client"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "http: server gave HTTP response to HTTPS client"],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "http: server gave HTTP response to HTTPS client"],
]);

const invalid = "tls: failed to verify certificate: x509: certificate";

const certificateErrors: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", `${invalid} has expired or is not yet valid`],
  ["CERT_NOT_YET_VALID", `${invalid} has expired or is not yet valid`],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", `${invalid} signed by unknown authority`],
  ["SELF_SIGNED_CERT_IN_CHAIN", `${invalid} signed by unknown authority`],
  ["UNABLE_TO_GET_ISSUER_CERT", `${invalid} signed by unknown authority`],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", `${invalid} signed by unknown authority`],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", `${invalid} signed by unknown authority`],
  ["CERT_SIGNATURE_FAILURE", `${invalid} signed by unknown authority`],
]);
