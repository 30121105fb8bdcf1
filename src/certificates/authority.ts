import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { realClock } from "../base/index.ts";
import { type CertificateContent, certificatePem, type Subject, type Use } from "./certificate.ts";

/** A certificate and its private key, both in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority, which signs certificates for servers and clients. */
export interface Authority {
  /** The certificate of the authority in PEM, to be trusted by its users. */
  readonly cert: string;
  /** Issues a certificate for a server with these host names and addresses. */
  server(hosts: readonly string[]): KeyedCertificate;
  /** Issues a client certificate for a user. */
  client(subject: Subject): KeyedCertificate;
}

export interface AuthorityOptions {
  /**
   * The time at which the validity of all certificates starts, in milliseconds since the epoch.
   * @default the time of the machine, not of a given clock, because TLS checks certificates by the time of the machine
   */
  readonly nowMs?: number | undefined;
  /** How long all certificates are valid. @default ten years */
  readonly validMs?: number | undefined;
}

/** Creates a certificate authority. Its private key never leaves this process. */
export function createAuthority(commonName: string, options: AuthorityOptions = {}): Authority {
  const { nowMs = realClock.now(), validMs = 10 * yearMs } = options;
  const pair = keyPair();
  const subject: Subject = { commonName };
  const common = {
    issuer: { subject, privateKey: pair.privateKey },
    notBefore: nowMs - hourMs,
    notAfter: nowMs + validMs,
  };
  return {
    cert: certificatePem({ ...common, subject, publicKey: pair.publicKey, use: { type: "authority" } }),
    server: (hosts) => issue(common, { commonName: hosts[0] ?? "" }, { type: "server", hosts }),
    client: (clientSubject) => issue(common, clientSubject, { type: "client" }),
  };
}

/** Certificates are valid from one hour ago, because clocks of machines differ. */
const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

type Common = Pick<CertificateContent, "issuer" | "notBefore" | "notAfter">;

function issue(common: Common, subject: Subject, use: Use): KeyedCertificate {
  const { publicKey, privateKey } = keyPair();
  return {
    cert: certificatePem({ ...common, subject, publicKey, use }),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Creates a key pair. An elliptic key takes less than a millisecond. */
function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}
