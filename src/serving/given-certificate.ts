import type { KeyedCertificate } from "../certificates/index.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** A certificate in PEM that does not change, for tests and short runs. */
export interface GivenCertificateOptions extends KeyedCertificate {
  /** The CA of the certificate, for the registration of webhooks. */
  readonly ca: string;
}

/** A certificate that the program passes as text. */
export class GivenCertificate implements CertificateSource {
  readonly current: KeyedCertificate;
  readonly bundle: string;

  constructor({ cert, key, ca }: GivenCertificateOptions) {
    this.current = { cert, key };
    this.bundle = ca;
  }

  async start(): Promise<void> {}

  onChange(): Disposable {
    return { [Symbol.dispose]() {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
