import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";

/** The issuer of the tokens, and the default audience. */
export const defaultAudience = "https://kubernetes.default.svc";

export interface TokenClaims {
  readonly aud: readonly string[];
  /** Seconds since the epoch, like the other times. */
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly iss: string;
  readonly jti: string;
  readonly sub: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: BoundObject;
    /** The object that must exist for the token to be valid: a Pod, a Secret, or a Node by itself. */
    readonly pod?: BoundObject | undefined;
    readonly secret?: BoundObject | undefined;
    /** The Node, which is only informative together with a Pod. It has no uid if it did not exist. */
    readonly node?: Partial<BoundObject> | undefined;
  };
}

export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

/** A JSON Web Key. */
export interface PublicKey extends JsonWebKey {
  readonly use: "sig";
  readonly kid: string;
  readonly alg: string;
}

/** The result of checking a token's signature. */
export type ReadToken =
  | { readonly type: "signed"; readonly claims: TokenClaims }
  /** The token claims to be issued by this server, but its signature is invalid. */
  | { readonly type: "forged" }
  /** The token is of another issuer, or not a JSON Web Token. */
  | { readonly type: "foreign" };

/** Issues and verifies service account tokens: JSON Web Tokens with ES256 signatures. */
export class ServiceAccountTokens {
  /** The key pair, generated on first use. The private key is never exposed. */
  #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

  sign(claims: TokenClaims): string {
    const { publicKey, privateKey } = this.#pair();
    const content = `${encoded({ alg: "ES256", kid: keyId(publicKey) })}.${encoded(claims)}`;
    const signature = sign("sha256", Buffer.from(content), { key: privateKey, dsaEncoding });
    return `${content}.${signature.toString("base64url")}`;
  }

  /** Verifies the signature. It does not check expiry, audience and bound objects. */
  read(token: string): ReadToken {
    const parts = token.split(".");
    // Node's decoder skips invalid characters, so that one token could have many spellings.
    if (parts.length !== 3 || !parts.every((part) => base64url.test(part))) return { type: "foreign" };
    const [head = "", body = "", signature = ""] = parts;
    const claims = parsedClaims(body);
    if (claims?.iss !== defaultAudience) return { type: "foreign" };
    const key = { key: this.#pair().publicKey, dsaEncoding } as const;
    const valid = verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
    return valid ? { type: "signed", claims } : { type: "forged" };
  }

  /** Returns the public keys that verify the tokens. */
  publicKeys(): readonly PublicKey[] {
    const { publicKey } = this.#pair();
    return [{ use: "sig", kid: keyId(publicKey), alg: "ES256", ...publicKey.export({ format: "jwk" }) }];
  }

  #pair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
    this.#keys ??= generateKeyPairSync("ec", { namedCurve: "P-256" });
    return this.#keys;
  }
}

const base64url = /^[-\w]+$/;

/** The signature format of JSON Web Tokens: two concatenated numbers. */
const dsaEncoding = "ieee-p1363";

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Parses the claims of any text. They are not trustworthy until the signature is verified. */
function parsedClaims(body: string): TokenClaims | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
    return typeof parsed === "object" && parsed !== null ? (parsed as TokenClaims) : undefined;
  } catch {
    return undefined; // a text that is not JSON is not a token of this server
  }
}

function keyId(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}
