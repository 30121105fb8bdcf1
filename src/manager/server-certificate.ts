import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { createSecureContext } from "node:tls";
import { asError } from "../base/index.ts";
import { createAuthority, type KeyedCertificate } from "../certificates/index.ts";
import { ConfigError } from "../client/index.ts";

/** Where a server's certificate comes from: files in PEM, or `true` for one that is made here and that nobody knows. */
export type TlsOptions = true | TlsFiles;

export interface TlsFiles {
  /** With what stands between it and the authority. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** What to show to clients now. Throws a `ConfigError` where files cannot be read, or do not belong together. */
export function serverCertificate(tls: TlsOptions): KeyedCertificate {
  if (tls === true) return createAuthority("trimtab").server(["localhost", "127.0.0.1", hostname()]);
  const found = { cert: textOf(tls.certFile, "certificate"), key: textOf(tls.keyFile, "key") };
  try {
    createSecureContext(found);
  } catch (error) {
    throw new ConfigError(
      `expected a certificate in ${tls.certFile} and its key in ${tls.keyFile}, got ${asError(error).message}`,
      { cause: error },
    );
  }
  return found;
}

/** At once, and not later: two small files, now and then, so that both are of the same moment. */
function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`expected a ${what} in ${file}, got ${asError(error).message}`, { cause: error });
  }
}
