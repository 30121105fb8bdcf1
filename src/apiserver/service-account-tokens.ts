import { createHmac, timingSafeEqual } from "node:crypto";
import { secretToken } from "../base/index.ts";
import type { UserInfo } from "./exchange.ts";

/** Who accepts a token that was made for nobody in particular. */
export const defaultAudience = "https://kubernetes.default.svc";

export interface TokenClaims {
  readonly aud: readonly string[];
  /** Seconds since the epoch, as the others. */
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly iss: string;
  readonly jti: string;
  readonly sub: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    /** What else must be there for the token to count. */
    readonly [bound: string]: unknown;
  };
}

export interface VerifyOptions {
  readonly nowMs: number;
  /** Of which the token must have one. @default the API server's own */
  readonly audiences?: readonly string[] | undefined;
}

/** Makes tokens of service accounts, and knows its own again. They are signed by a key that lives as long as this. */
export class ServiceAccountTokens {
  readonly #key = secretToken();

  sign(claims: TokenClaims): string {
    const content = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded(claims)}`;
    return `${content}.${this.#signature(content).toString("base64url")}`;
  }

  /** Whose token it is, and for whom, unless it is not ours, over, or meant for others. */
  verify(token: string, { nowMs, audiences = [] }: VerifyOptions): VerifiedToken | undefined {
    const claims = this.#claims(token);
    if (!claims || claims.exp * 1000 <= nowMs) return undefined;
    const wanted = audiences.length > 0 ? audiences : [defaultAudience];
    const common = claims.aud.filter((one) => wanted.includes(one));
    return common.length === 0 ? undefined : { user: userOf(claims), audiences: common };
  }

  #claims(token: string): TokenClaims | undefined {
    const [head = "", body = "", signature = ""] = token.split(".");
    const expected = this.#signature(`${head}.${body}`);
    const sent = Buffer.from(signature, "base64url");
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
    return JSON.parse(Buffer.from(body, "base64url").toString()) as TokenClaims; // we have signed it
  }

  #signature(content: string): Buffer {
    return createHmac("sha256", this.#key).update(content).digest();
  }
}

export interface VerifiedToken {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function userOf({ sub, jti, "kubernetes.io": { namespace, serviceaccount } }: TokenClaims): UserInfo {
  return {
    username: sub,
    uid: serviceaccount.uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`JTI=${jti}`] },
  };
}
