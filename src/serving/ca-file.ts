import { createSecureContext } from "node:tls";
import { asError } from "../base/index.ts";
import { validityOf } from "../certificates/index.ts";
import { ConfigError } from "../client/index.ts";
import { type FilesContext, textOf, WatchedFiles } from "./watched-files.ts";

/** Returns the CAs of a PEM file, which is read again when it changes. */
export function caFile(file: string, { server, log, clock }: FilesContext): WatchedFiles<string> {
  return new WatchedFiles({
    read: () => caOf(file),
    // A bundle may contain CAs that have expired beside the others.
    problemOf: () => undefined,
    log: log.with({ server, file }),
    clock,
  });
}

/** Returns the CAs of a PEM file. Throws a `ConfigError` if it contains none. */
export function caOf(file: string): string {
  const ca = textOf(file, "the certificate of a CA");
  try {
    validityOf(ca);
    createSecureContext({ ca });
    return ca;
  } catch (error) {
    throw new ConfigError(`expected the certificate of a CA in ${file}, got ${asError(error).message}`, {
      cause: error,
    });
  }
}
