import type { KeyedCertificate } from "../certificates/index.ts";

/** Provides the certificate of a server in PEM, and replaces it before it expires. */
export interface CertificateSource extends AsyncDisposable {
  /** Loads the first certificate. Rejects with a `ConfigError` if that is not possible. */
  start(): Promise<void>;
  /** The certificate for new connections. Throws before `start`. */
  readonly current: KeyedCertificate;
  /** The CAs that clients have to trust, in PEM. `undefined` if another program publishes them. */
  readonly bundle: string | undefined;
  /** Calls `listener` after `current` or `bundle` has changed. */
  onChange(listener: () => void): Disposable;
}
