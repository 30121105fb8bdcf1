import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { createAuthority, type KeyedCertificate, validityOf } from "../certificates/index.ts";

/** A certificate with its key and the certificate of its CA, in PEM. */
export interface IssuedPair extends KeyedCertificate {
  readonly ca: string;
}

/** The content of the Secret with managed certificates. */
export interface CertificateState {
  /** The pair that servers present. */
  readonly current: IssuedPair;
  /** The pair that replaces the current one, once every API server knows its CA. */
  readonly next?: IssuedPair | undefined;
  /** The CA of the pair before the current one, which other replicas may still present. */
  readonly previousCa?: string | undefined;
}

/** The usable parts of a state. */
export interface FoundState {
  readonly current: IssuedPair | undefined;
  readonly next: IssuedPair | undefined;
  readonly previousCa: string | undefined;
}

/** Returns the state in a Secret. Parts that are missing, damaged or expired are `undefined`. */
export function readState(
  data: Readonly<Record<string, string>>,
  valid: { readonly hosts: readonly string[]; readonly nowMs: number },
): FoundState {
  const text = (name: string): string => Buffer.from(data[name] ?? "", "base64").toString();
  const pair = (cert: string, key: string, ca: string): IssuedPair | undefined => {
    const found = { cert: text(cert), key: text(key), ca: text(ca) };
    return isUsable(found, valid) ? found : undefined;
  };
  const previous = [text("ca.crt"), text("previous-ca.crt")].find((ca) => isCertificate(ca));
  const current = pair("tls.crt", "tls.key", "ca.crt");
  const previousCa = current ? text("previous-ca.crt") : previous;
  return {
    current,
    next: pair("next.crt", "next.key", "next-ca.crt"),
    previousCa: previousCa !== undefined && isCertificate(previousCa) ? previousCa : undefined,
  };
}

/** Returns the data of a Secret that does not belong to its state: other programs may keep more in it. */
export function otherData(data: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ownNames.has(name)));
}

const ownNames: ReadonlySet<string> = new Set(
  "tls.crt tls.key ca.crt next.crt next.key next-ca.crt previous-ca.crt".split(" "),
);

/** Returns the data of a Secret of type kubernetes.io/tls. */
export function writeState({ current, next, previousCa }: CertificateState): Record<string, string> {
  const texts = {
    "tls.crt": current.cert,
    "tls.key": current.key,
    "ca.crt": current.ca,
    ...(next && { "next.crt": next.cert, "next.key": next.key, "next-ca.crt": next.ca }),
    ...(previousCa !== undefined && { "previous-ca.crt": previousCa }),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
  );
}

/** Returns all CAs of a state in PEM, without repetition. */
export function bundleOf({ current, next, previousCa }: CertificateState): string {
  const all = [previousCa, current.ca, next?.ca].filter((ca) => ca !== undefined);
  return [...new Set(all.map((ca) => `${ca.trim()}\n`))].join(""); // another program may omit the last line break
}

/** Issues a pair from a new CA, whose key is discarded. */
export function issuePair(hosts: readonly string[], nowMs: number): IssuedPair {
  const authority = createAuthority("trimtab-webhooks", { nowMs, validMs });
  return { ...authority.server(hosts), ca: authority.cert };
}

/** Returns true if two thirds of the time of a certificate are over, so that a third is left for problems. */
export function isDueForRotation({ cert }: IssuedPair, nowMs: number): boolean {
  const { fromMs, toMs } = validityOf(cert);
  return nowMs >= fromMs + ((toMs - fromMs) * 2) / 3;
}

const validMs = 365 * 24 * 3_600_000;

/** Returns true if API servers accept a pair for these hosts now. A pair of a clock that is ahead is not valid yet. */
export function isUsable(
  { cert, key, ca }: IssuedPair,
  { hosts, nowMs }: { readonly hosts: readonly string[]; readonly nowMs: number },
): boolean {
  try {
    createSecureContext({ cert, key });
    const leaf = new X509Certificate(cert);
    const issued = leaf.verify(new X509Certificate(ca).publicKey);
    const { fromMs, toMs } = validityOf(cert);
    return issued && fromMs <= nowMs && toMs > nowMs && hosts.every((host) => isFor(leaf, host));
  } catch {
    return false; // damaged: a new pair replaces it
  }
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host)) !== undefined;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false; // nothing to keep
  }
}
