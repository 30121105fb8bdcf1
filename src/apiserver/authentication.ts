import type { UserInfo } from "./exchange.ts";

/** What a request shows of who sent it. */
export interface Credentials {
  /** The header's text: "Bearer ...". */
  readonly authorization: string | undefined;
  /** Of a client certificate that was checked. */
  readonly certificate: { readonly subject: Readonly<Record<string, unknown>> } | undefined;
}

/** Says who it is, or `undefined` for nobody the server knows, who is answered with 401. */
export type Authenticator = (credentials: Credentials) => UserInfo | undefined;

/** Everybody is the administrator: for a server that only this machine reaches. */
export const anybody: Authenticator = () => administrator;

export const administrator: UserInfo = {
  username: "kubernetes-admin",
  groups: ["system:masters", "system:authenticated"],
};

/** Those with a certificate (its common name, its organizations) or one of the tokens. */
export function known(tokens: ReadonlyMap<string, UserInfo>): Authenticator {
  return ({ authorization = "", certificate }) => {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    return certificate ? certified(certificate.subject) : tokens.get(token);
  };
}

function certified({ CN, O }: Readonly<Record<string, unknown>>): UserInfo | undefined {
  if (typeof CN !== "string") return undefined;
  const groups = [O ?? []].flat().map(String);
  return { username: CN, groups: [...groups, "system:authenticated"] };
}
