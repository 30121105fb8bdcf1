import type { KeyedCertificate } from "../certificates/index.ts";

/** The certificate that a server presents, in PEM. */
export interface ServerCertificate extends KeyedCertificate {
  /**
   * The CAs of client certificates in PEM. Clients without a certificate of them are refused. @default no client
   * certificates
   */
  readonly clientCa?: string | undefined;
}

/** Provides the certificate of a webhook server, and replaces it before it expires. */
export interface CertificateSource extends AsyncDisposable {
  /** Loads the first certificate. Rejects with a `ConfigError` if that is not possible. */
  start(): Promise<void>;
  /** The certificate for new connections. Throws before `start`. */
  readonly current: ServerCertificate;
  /** The CAs that API servers have to trust, in PEM. `undefined` if another program publishes them. */
  readonly bundle: string | undefined;
  /** Calls `listener` after `current` or `bundle` has changed. */
  onChange(listener: () => void): Disposable;
}
