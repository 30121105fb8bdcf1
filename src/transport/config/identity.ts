import type { ClientCertificate } from "./client-certificate.ts";
import type { Identity, RequestAuth, TlsMaterial } from "./cluster-config.ts";
import type { Credential } from "./credential.ts";
import type { Reloadable } from "./reloadable.ts";

export interface CombinedIdentityOptions {
  /** For logs: "token file /var/run/token". */
  readonly description: string;
  readonly ca: Reloadable<string | undefined>;
  readonly certificate: Reloadable<ClientCertificate | undefined>;
  readonly credential: Reloadable<Credential>;
  readonly serverName?: string | undefined;
  readonly insecure: boolean;
}

/**
 * Combines the certificate authority, the client certificate and the credential for a TLS server, each of which reloads
 * independently. A new token keeps the TLS material. The identity prints as its description.
 */
export class CombinedIdentity implements Identity {
  readonly #options: CombinedIdentityOptions;
  #last: { readonly parts: Parts; readonly auth: RequestAuth } | undefined;

  constructor(options: CombinedIdentityOptions) {
    this.#options = options;
  }

  current(): RequestAuth | Promise<RequestAuth> {
    const ca = this.#options.ca.current();
    const certificate = this.#options.certificate.current();
    const credential = this.#options.credential.current();
    if (isReady(ca) && isReady(certificate) && isReady(credential)) {
      return this.#present({ ca, certificate, credential });
    }
    return this.#whenReady([Promise.resolve(ca), Promise.resolve(certificate), Promise.resolve(credential)]);
  }

  refused(auth: RequestAuth): boolean {
    if (auth !== this.#last?.auth) return true;
    const { certificate, credential } = this.#last.parts;
    const other = [
      this.#options.certificate.refused(certificate),
      this.#options.credential.refused(credential),
    ];
    return other.includes(true);
  }

  handshakeFailed(auth: RequestAuth): boolean {
    if (auth !== this.#last?.auth) return true;
    const { ca, certificate, credential } = this.#last.parts;
    const other = [
      this.#options.ca.refused(ca),
      this.#options.certificate.refused(certificate),
      credential.certificate !== undefined && this.#options.credential.refused(credential),
    ];
    return other.includes(true);
  }

  toJSON(): string {
    return this.#options.description;
  }

  get [Symbol.toStringTag](): string {
    return this.#options.description;
  }

  async #whenReady(parts: PendingParts): Promise<RequestAuth> {
    const [ca, certificate, credential] = await Promise.all(parts);
    return this.#present({ ca, certificate, credential });
  }

  #present(parts: Parts): RequestAuth {
    const last = this.#last;
    if (last && last.parts.credential === parts.credential && sameTls(last.parts, parts)) return last.auth;
    const { authorization } = parts.credential;
    const tls = last && sameTls(last.parts, parts) ? last.auth.tls : this.#tls(parts);
    const auth = { headers: authorization === undefined ? {} : { authorization }, tls };
    this.#last = { parts, auth };
    return auth;
  }

  #tls(parts: Parts): TlsMaterial {
    const { serverName, insecure } = this.#options;
    const { cert, key } = certificateOf(parts) ?? {};
    return { ca: parts.ca, cert, key, serverName, insecure };
  }
}

interface Parts {
  readonly ca: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly credential: Credential;
}

type PendingParts = [
  ca: Promise<Parts["ca"]>,
  certificate: Promise<Parts["certificate"]>,
  credential: Promise<Credential>,
];

function isReady<T>(value: T | Promise<T>): value is T {
  return !(value instanceof Promise);
}

function certificateOf({ certificate, credential }: Parts): ClientCertificate | undefined {
  return credential.certificate ?? certificate;
}

function sameTls(left: Parts, right: Parts): boolean {
  const [one, other] = [certificateOf(left), certificateOf(right)];
  return left.ca === right.ca && one?.cert === other?.cert && one?.key === other?.key;
}
