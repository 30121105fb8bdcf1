import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";

/** Who makes the tokens, and accepts one that was made for nobody in particular. */
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
    readonly serviceaccount: BoundObject;
    /** What else must be there for the token to count: one of the first two, or the node by itself. */
    readonly pod?: BoundObject | undefined;
    readonly secret?: BoundObject | undefined;
    /** Of a pod, it is only told. It has no uid where it was not there. */
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

/** What a token turned out to be. */
export type ReadToken =
  | { readonly type: "signed"; readonly claims: TokenClaims }
  /** It says that it is from here, and is not. */
  | { readonly type: "forged" }
  /** Somebody else's, or no such token at all. */
  | { readonly type: "foreign" };

/** Makes tokens of service accounts, and knows its own again: JSON Web Tokens, signed by ES256. */
export class ServiceAccountTokens {
  /** Made when first needed. The private one is never let out. */
  #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

  sign(claims: TokenClaims): string {
    const { publicKey, privateKey } = this.#pair();
    const content = `${encoded({ alg: "ES256", kid: keyId(publicKey) })}.${encoded(claims)}`;
    const signature = sign("sha256", Buffer.from(content), { key: privateKey, dsaEncoding });
    return `${content}.${signature.toString("base64url")}`;
  }

  /** Looks at who made it alone: whether it counts here and now is another question. */
  read(token: string): ReadToken {
    const parts = token.split(".");
    // Node's decoder skips characters that are no base64url, so that one token could be written in many ways.
    if (parts.length !== 3 || !parts.every((part) => base64url.test(part))) return { type: "foreign" };
    const [head = "", body = "", signature = ""] = parts;
    const claims = parsedClaims(body);
    if (claims?.iss !== defaultAudience) return { type: "foreign" };
    const key = { key: this.#pair().publicKey, dsaEncoding } as const;
    const ours = verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
    return ours ? { type: "signed", claims } : { type: "forged" };
  }

  /** By which others can tell its tokens from forged ones. */
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

/** The signature as JSON Web Tokens have it: two numbers, one after the other. */
const dsaEncoding = "ieee-p1363";

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Of any text. What they say may be believed when the signature is checked. */
function parsedClaims(body: string): TokenClaims | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
    return typeof parsed === "object" && parsed !== null ? (parsed as TokenClaims) : undefined;
  } catch {
    return undefined; // no JSON is no token of ours
  }
}

function keyId(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}
