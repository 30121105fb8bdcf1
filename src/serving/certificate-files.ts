import { createSecureContext } from "node:tls";
import { asError, timestamp } from "../base/index.ts";
import { type KeyedCertificate, validityOf } from "../certificates/index.ts";
import { ConfigError } from "../client/index.ts";
import { caOf } from "./ca-file.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { type FilesContext, textOf, WatchedFiles } from "./watched-files.ts";

/** PEM files, such as those of a mounted Secret. They are read again when they change. */
export interface TlsFiles {
  /** The certificate, followed by its intermediate certificates. */
  readonly certFile: string;
  readonly keyFile: string;
}

export interface CertificateFilesOptions extends TlsFiles {
  /**
   * The CA of the certificate, for the registration of webhooks.
   * @default none: the CA is known to API servers, or another program such as cert-manager's CA injector registers it
   */
  readonly caFile?: string | undefined;
}

interface Loaded {
  readonly certificate: KeyedCertificate;
  readonly bundle: string | undefined;
}

/**
 * A certificate from files, checked every ten seconds. New files that cannot be read, do not belong together or are not
 * valid at this time are logged once, and the current certificate stays.
 */
export class CertificateFiles implements CertificateSource {
  readonly #files: WatchedFiles<Loaded>;

  constructor(files: CertificateFilesOptions, { server, log, clock }: FilesContext) {
    const { certFile } = files;
    this.#files = new WatchedFiles({
      read: () => load(files),
      problemOf: ({ certificate }) => problemOf(certificate, certFile, clock.now()),
      log: log.with({ server, file: certFile }),
      clock,
    });
  }

  get current(): KeyedCertificate {
    return this.#files.current.certificate;
  }

  get bundle(): string | undefined {
    return this.#files.current.bundle;
  }

  async start(): Promise<void> {
    this.#files.start();
  }

  onChange(listener: () => void): Disposable {
    return this.#files.onChange(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#files[Symbol.dispose]();
  }
}

function problemOf({ cert }: KeyedCertificate, file: string, nowMs: number): string | undefined {
  const { fromMs, toMs } = validityOf(cert);
  const expected = `expected a valid certificate in ${file}, got one that`;
  if (toMs <= nowMs) return `${expected} expired at ${timestamp(toMs)}; renew it`;
  if (fromMs > nowMs)
    return `${expected} is valid from ${timestamp(fromMs)}; check the clock of this machine`;
  return undefined;
}

function load({ certFile, keyFile, caFile }: CertificateFilesOptions): Loaded {
  const certificate = {
    cert: textOf(certFile, "a certificate"),
    key: textOf(keyFile, "the key of a certificate"),
  };
  const bundle = caFile === undefined ? undefined : caOf(caFile);
  checkPair(certificate, { certFile, keyFile });
  return { certificate, bundle };
}

function checkPair({ cert, key }: KeyedCertificate, { certFile, keyFile }: TlsFiles): void {
  try {
    validityOf(cert);
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(
      `expected a certificate in ${certFile} and its key in ${keyFile}, got ${asError(error).message}`,
      { cause: error },
    );
  }
}
