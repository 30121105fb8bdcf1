import type { UserInfo } from "../types/exchange.ts";
import { checkToken, type TokenContext } from "./token-check.ts";

/** The credentials of a request. */
export interface Credentials {
  /** The `Authorization` header: "Bearer ...". */
  readonly authorization: string | undefined;
  /** Absent if the client sent no certificate. */
  readonly certificate: ClientCertificate | undefined;
}

export interface ClientCertificate {
  /** True if the certificate is signed by the trusted authority, for client authentication, and not expired. */
  readonly trusted: boolean;
  /** The parts of the subject by their short names: "CN", "O". */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the certificate, in lower case hexadecimal digits. */
  readonly fingerprint: string;
}

/** Authenticates requests. */
export interface Authenticator {
  /** Returns the user, or `undefined` for an unknown user, whose request is refused with 401. */
  authenticate(credentials: Credentials): UserInfo | undefined;
  /** True if requests without credentials have all permissions. Such a server must not listen beyond loopback. */
  readonly open: boolean;
}

/** A user with all permissions. */
export const administrator: UserInfo = {
  username: "admin",
  uid: "admin",
  groups: ["system:masters", "system:authenticated"],
};

/** The user of unauthenticated requests. */
export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/**
 * Creates an authenticator that checks the certificate first and the token next. Invalid credentials are refused, even
 * if none are needed. Requests without credentials have the user `guest`, if there is one.
 */
export function authenticator(context: TokenContext, guest: UserInfo | undefined): Authenticator {
  return {
    open: guest === administrator,
    authenticate({ authorization = "", certificate }) {
      const certifiedUser = certificate?.trusted ? certificateUser(certificate) : undefined;
      if (certifiedUser) return certifiedUser;
      const token = bearerToken(authorization);
      if (token === undefined) return certificate && !certificate.trusted ? undefined : guest;
      const check = checkToken(context, token);
      return check.type === "authenticated" ? check.user : undefined;
    },
  };
}

/** Returns the user of a certificate: the common name is the user, the organizations are the groups. */
function certificateUser({ subject, fingerprint }: ClientCertificate): UserInfo | undefined {
  const { CN, O = [] } = subject;
  if (typeof CN !== "string" || CN === "") return undefined;
  return {
    username: CN,
    groups: [...[O].flat().map(String), "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  };
}

/** Returns the text between "Bearer " and the next space, or `undefined` if it is empty. */
function bearerToken(authorization: string): string | undefined {
  const [, token] = /^\s*bearer ([^\s]+)/i.exec(authorization) ?? [];
  return token;
}
