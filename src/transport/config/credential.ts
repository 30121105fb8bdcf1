import type { ClientCertificate } from "./client-certificate.ts";

/** A credential, in addition to the client certificate of the configuration. */
export interface Credential {
  /** The value of the `Authorization` header. */
  readonly authorization?: string | undefined;
  /** A certificate that replaces the one of the configuration. */
  readonly certificate?: ClientCertificate | undefined;
}

/** No credential: the server sees the client certificate, or an anonymous user. */
export const noCredential: Credential = {};

export function bearer(token: string): Credential {
  return { authorization: `Bearer ${token}` };
}

export function basic(username: string, password: string): Credential {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}` };
}
