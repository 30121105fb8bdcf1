import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { createSecureContext } from "node:tls";
import { asError } from "../../base/index.ts";
import { createAuthority, type KeyedCertificate } from "../../certificates/index.ts";
import { ConfigError } from "../../client/index.ts";

/** The source of a server certificate: PEM files, or `true` for a generated self-signed one. */
export type TlsOptions = true | TlsFiles;

export interface TlsFiles {
  /** The certificate, with its intermediate certificates. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** Returns the current certificate and key. Throws a `ConfigError` if the files cannot be read or do not match. */
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

/** Reads a file synchronously, so that certificate and key are read at the same moment. */
function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`expected a ${what} in ${file}, got ${asError(error).message}`, { cause: error });
  }
}
