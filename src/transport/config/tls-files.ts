import { X509Certificate } from "node:crypto";
import { asError, type Clock, type Logger } from "../../base/index.ts";
import { type ClientCertificate, clientCertificate } from "./client-certificate.ts";
import { type PemSource, pemError, readPem } from "./pem-source.ts";
import { constant, type Reloadable } from "./reloadable.ts";
import { ReloadingValue } from "./reloading-value.ts";

/** Files are reloaded on use after 5 minutes, as in client-go. */
const everyMs = 300_000;
const retryMs = 60_000;

export interface TlsFileOptions {
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Returns the certificate authority. If the new file is unreadable or contains no certificate, the old one stays in
 * use.
 */
export function certificateAuthority(
  source: PemSource | undefined,
  options: TlsFileOptions,
): Reloadable<string | undefined> {
  if (!source) return constant(undefined);
  const reread = new ReloadingValue<string | undefined>({
    ...options,
    what: "certificate authority",
    read: () => readAuthority(source),
    everyMs: changes(source) ? everyMs : Number.POSITIVE_INFINITY,
    retryMs,
  });
  return changes(source) ? reread : { current: () => reread.current(), refused: () => false };
}

export interface CertificatePair {
  readonly cert: PemSource;
  readonly key: PemSource;
}

/**
 * Returns the client certificate. If the new files are unreadable or do not belong together, the old certificate stays
 * in use until it expires.
 */
export function certificatePair(
  pair: CertificatePair | undefined,
  options: TlsFileOptions,
): Reloadable<ClientCertificate | undefined> {
  if (!pair) return constant(undefined);
  const { clock } = options;
  const reread = new ReloadingValue<ClientCertificate | undefined>({
    ...options,
    what: "client certificate",
    read: () => readPair(pair, clock),
    everyMs: changes(pair.cert) || changes(pair.key) ? everyMs : Number.POSITIVE_INFINITY,
    retryMs,
    usable: (held) => held !== undefined && clock.now() < held.expiresMs,
  });
  if (changes(pair.cert) || changes(pair.key)) return reread;
  return { current: () => reread.current(), refused: () => false };
}

function changes({ content }: PemSource): boolean {
  return content.type === "file";
}

async function readAuthority(source: PemSource): Promise<string> {
  const pem = await readPem(source);
  try {
    new X509Certificate(pem);
    return pem;
  } catch (cause) {
    const got = `an unreadable one (${asError(cause).message})`;
    throw pemError(source, { expected: "to be a certificate", got, cause });
  }
}

async function readPair(pair: CertificatePair, clock: Clock): Promise<ClientCertificate> {
  const [cert, key] = await Promise.all([readPem(pair.cert), readPem(pair.key)]);
  return clientCertificate({
    cert,
    key,
    nowMs: clock.now(),
    fault: (part, fault) => pemError(pair[part], fault),
  });
}
