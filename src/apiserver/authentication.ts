import type { Engine } from "./engine.ts";
import type { UserInfo } from "./exchange.ts";
import { checkToken } from "./token-check.ts";

/** What a request shows of who sent it. */
export interface Credentials {
  /** The header's text: "Bearer ...". */
  readonly authorization: string | undefined;
  /** Absent where the client showed none. */
  readonly certificate: ClientCertificate | undefined;
}

export interface ClientCertificate {
  /** Signed by the authority that the server trusts, for this use, and not over. */
  readonly trusted: boolean;
  /** By the short names of its parts: "CN", "O". */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the whole, in lower case hexadecimal digits. */
  readonly fingerprint: string;
}

/** Tells who sends a request. */
export interface Authenticator {
  /** Who it is, or `undefined` for nobody the server knows, who is answered with 401. */
  authenticate(credentials: Credentials): UserInfo | undefined;
  /** Whether those who show nothing may do everything: such a server must not be reached from elsewhere. */
  readonly open: boolean;
}

/** May do everything. */
export const administrator: UserInfo = {
  username: "admin",
  uid: "admin",
  groups: ["system:masters", "system:authenticated"],
};

/** Nobody in particular. */
export const anonymous: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/**
 * By certificate, then by token. Credentials that are worth nothing are refused, even where none are needed;
 * who shows none is the `guest`, if there is one.
 */
export function authenticator(engine: Engine, guest: UserInfo | undefined): Authenticator {
  return {
    open: guest === administrator,
    authenticate({ authorization = "", certificate }) {
      const named = certificate?.trusted ? certified(certificate) : undefined;
      if (named) return named;
      const token = bearerToken(authorization);
      if (token === undefined) return certificate && !certificate.trusted ? undefined : guest;
      const check = checkToken(engine, token);
      return check.type === "known" ? check.user : undefined;
    },
  };
}

/** Its common name is the user, its organizations are the groups. */
function certified({ subject, fingerprint }: ClientCertificate): UserInfo | undefined {
  const { CN, O = [] } = subject;
  if (typeof CN !== "string" || CN === "") return undefined;
  return {
    username: CN,
    groups: [...[O].flat().map(String), "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  };
}

/** What follows "Bearer" and one space, up to the next. Nothing there is no token. */
function bearerToken(authorization: string): string | undefined {
  const [, token] = /^\s*bearer ([^\s]+)/i.exec(authorization) ?? [];
  return token;
}
