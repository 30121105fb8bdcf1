import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { asError, type Clock, type Logger, type Timer, timestamp } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";
import type { CertificateSource, ServerCertificate } from "./certificate-source.ts";
import { validityOf } from "./certificate-times.ts";
import { Listeners } from "./listeners.ts";

/** PEM files, such as those of a mounted Secret. They are read again when they change. */
export interface CertificateFilesOptions {
  /** The certificate, followed by its intermediate certificates. */
  readonly certFile: string;
  readonly keyFile: string;
  /**
   * The CA of the certificate, for the registration.
   * @default none: the CA is known to API servers, or another program such as cert-manager's CA injector registers it
   */
  readonly caFile?: string | undefined;
}

interface Files extends CertificateFilesOptions {
  readonly clientCaFile?: string | undefined;
}

export interface CertificateFilesContext {
  readonly log: Logger;
  readonly clock: Clock;
}

interface Loaded {
  readonly certificate: ServerCertificate;
  readonly bundle: string | undefined;
  /** All contents, to find changes. */
  readonly content: string;
}

/**
 * A certificate from files. It checks them every ten seconds. New files that cannot be read, do not belong together or
 * have expired are logged once, and the current certificate stays.
 */
export class CertificateFiles implements CertificateSource {
  readonly #files: Files;
  readonly #context: CertificateFilesContext;
  readonly #listeners = new Listeners();
  #loaded: Loaded | undefined;
  #timer: Timer | undefined;
  /** The problem that was logged last. */
  #problem: string | undefined;

  constructor(files: Files, context: CertificateFilesContext) {
    this.#files = files;
    this.#context = context;
  }

  get current(): ServerCertificate {
    if (this.#loaded) return this.#loaded.certificate;
    throw new Error("certificate files not loaded yet");
  }

  get bundle(): string | undefined {
    return this.#loaded?.bundle;
  }

  async start(): Promise<void> {
    this.#loaded = load(this.#files);
    // It is served all the same: its renewal may arrive at any time, and the other parts of the program can work.
    const expired = this.#expired(this.#loaded);
    if (expired) this.#report(expired);
    this.#schedule();
  }

  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
  }

  #schedule(): void {
    this.#timer = this.#context.clock.timer(
      reloadMs,
      () => {
        this.#reload();
        this.#schedule();
      },
      { background: true },
    );
  }

  #reload(): void {
    try {
      const loaded = load(this.#files);
      if (loaded.content === this.#loaded?.content) return;
      const expired = this.#expired(loaded);
      if (expired) return this.#report(expired);
      this.#loaded = loaded;
      this.#problem = undefined;
    } catch (error) {
      return this.#report(asError(error).message);
    }
    this.#context.log.info("webhook certificate reloaded", { file: this.#files.certFile });
    this.#listeners.notify();
  }

  #expired({ certificate: { cert } }: Loaded): string | undefined {
    const { toMs } = validityOf(cert);
    if (toMs > this.#context.clock.now()) return undefined;
    return `expected a valid certificate in ${this.#files.certFile}, got one that expired at ${timestamp(toMs)}; renew it`;
  }

  #report(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#context.log.error("webhook certificate is invalid; keeping the current one", { error: problem });
  }
}

const reloadMs = 10_000;

/** Reads the files synchronously, so that certificate and key are read at the same moment. */
function load({ certFile, keyFile, caFile, clientCaFile }: Files): Loaded {
  const cert = contentOf(certFile, "a certificate");
  const key = contentOf(keyFile, "the key of a certificate");
  const bundle = caFile === undefined ? undefined : contentOf(caFile, "the CA of a certificate");
  const clientCa =
    clientCaFile === undefined ? undefined : contentOf(clientCaFile, "the CA of client certificates");
  checkPair({ cert, key }, { certFile, keyFile });
  for (const [file, pem] of [
    [caFile, bundle],
    [clientCaFile, clientCa],
  ] as const) {
    if (file !== undefined && pem !== undefined) checkCertificate(file, pem);
  }
  const content = JSON.stringify([cert, key, bundle, clientCa]);
  return { certificate: { cert, key, ...(clientCa !== undefined && { clientCa }) }, bundle, content };
}

function contentOf(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`expected ${what} in ${file}, got ${asError(error).message}`, { cause: error });
  }
}

function checkPair(
  pair: ServerCertificate,
  { certFile, keyFile }: Pick<Files, "certFile" | "keyFile">,
): void {
  try {
    validityOf(pair.cert);
    createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (error) {
    throw new ConfigError(
      `expected a certificate in ${certFile} and its key in ${keyFile}, got ${asError(error).message}`,
      { cause: error },
    );
  }
}

function checkCertificate(file: string, pem: string): void {
  try {
    validityOf(pem);
  } catch (error) {
    throw new ConfigError(`expected a certificate in ${file}, got ${asError(error).message}`, {
      cause: error,
    });
  }
}
