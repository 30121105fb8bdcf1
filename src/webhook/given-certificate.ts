import type { CertificateSource, ServerCertificate } from "./certificate-source.ts";

/** A certificate in PEM that does not change, for tests and short runs. */
export interface GivenCertificateOptions extends ServerCertificate {
  /** The CA of the certificate, for the registration. */
  readonly ca: string;
}

/** A certificate that the program passes as text. */
export class GivenCertificate implements CertificateSource {
  readonly current: ServerCertificate;
  readonly bundle: string;

  constructor({ cert, key, ca, clientCa }: GivenCertificateOptions) {
    this.current = { cert, key, ...(clientCa !== undefined && { clientCa }) };
    this.bundle = ca;
  }

  async start(): Promise<void> {}

  onChange(): Disposable {
    return { [Symbol.dispose]() {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
