import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { asError, timestamp } from "../../base/index.ts";
import { parseTime } from "./parse-time.ts";
import type { PemFault } from "./pem-source.ts";

/** A certificate and its key in PEM, checked to belong together. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** When the certificate expires, in wall-clock milliseconds. */
  readonly expiresMs: number;
}

export interface ClientCertificateOptions {
  readonly cert: string;
  readonly key: string;
  readonly nowMs: number;
  /** Returns the error for an invalid certificate or key. */
  fault(part: "cert" | "key", fault: PemFault): Error;
}

/**
 * Checks a client certificate: both parts are readable, belong together and have not expired. A server would refuse
 * such a certificate without a reason. In a chain, the first certificate is checked.
 */
export function clientCertificate(options: ClientCertificateOptions): ClientCertificate {
  const certificate = readCertificate(options);
  if (!certificate.checkPrivateKey(readKey(options))) {
    throw options.fault("key", {
      expected: "to be the key of the certificate",
      got: "another certificate's",
    });
  }
  const expiresMs = parseTime(certificate.validTo);
  if (expiresMs <= options.nowMs) {
    const got = `one expired since ${timestamp(expiresMs)}`;
    throw options.fault("cert", { expected: "to be a valid certificate", got });
  }
  return { cert: options.cert, key: options.key, expiresMs };
}

function readCertificate({ cert, fault }: ClientCertificateOptions): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (cause) {
    throw fault("cert", { expected: "to be a certificate", got: unreadable(cause), cause });
  }
}

function readKey({ key, fault }: ClientCertificateOptions): KeyObject {
  try {
    return createPrivateKey(key);
  } catch (cause) {
    throw fault("key", {
      expected: "to be a private key without a passphrase",
      got: unreadable(cause),
      cause,
    });
  }
}

function unreadable(cause: unknown): string {
  return `an unreadable one (${asError(cause).message})`;
}
