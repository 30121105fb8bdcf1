import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { realClock } from "../base/index.ts";
import { type CertificateContent, certificatePem, type Subject, type Use } from "./certificate.ts";

/** A certificate and its private key, both in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Signs certificates that those who trust its own accept. */
export interface Authority {
  /** In PEM: what to trust. */
  readonly cert: string;
  /** For a server that is reached by these names and addresses. */
  server(hosts: readonly string[]): KeyedCertificate;
  /** For somebody who shows it to servers. */
  client(subject: Subject): KeyedCertificate;
}

/**
 * An authority of its own, whose key nobody else has and which is gone with this process.
 *
 * Its time is the machine's, whatever clock its user runs on: who checks a certificate asks the machine.
 */
export function createAuthority(commonName: string): Authority {
  const pair = keyPair();
  const now = realClock.now();
  const subject: Subject = { commonName };
  const common = {
    issuer: { subject, privateKey: pair.privateKey },
    notBefore: now - hourMs,
    notAfter: now + 10 * yearMs,
  };
  return {
    cert: certificatePem({ ...common, subject, publicKey: pair.publicKey, use: { type: "authority" } }),
    server: (hosts) => issue(common, { commonName: hosts[0] ?? "" }, { type: "server", hosts }),
    client: (whom) => issue(common, whom, { type: "client" }),
  };
}

/** Clocks of machines differ a little. */
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

/** Elliptic, because such a key is made in less than a millisecond. */
function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}
