import type { ClientCertificate } from "./client-certificate.ts";

/** What proves who we are, beside the client certificate of the configuration. */
export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization?: string | undefined;
  /** A certificate that came with it, in place of the configuration's. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Nothing: the server sees the client certificate, or an anonymous user. */
export const noCredential: Credential = {};

export function bearer(token: string): Credential {
  return { authorization: `Bearer ${token}` };
}

export function basic(username: string, password: string): Credential {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}` };
}
