/**
 * The common parts of the servers of webhooks, metrics and health checks: certificates that are replaced while a server
 * runs, and connections that are drained when it stops.
 *
 * A *certificate source* provides the certificate of new connections. Files that become invalid are logged once, and
 * the last valid content stays in use.
 *
 * @module
 */
export { caFile } from "./ca-file.ts";
export {
  CertificateFiles,
  type CertificateFilesOptions,
  type TlsFiles,
} from "./certificate-files.ts";
export type { CertificateSource } from "./certificate-source.ts";
export { Connections, type ConnectionTimeouts } from "./connections.ts";
export { GivenCertificate, type GivenCertificateOptions } from "./given-certificate.ts";
export { type ListenOptions, listen } from "./listen.ts";
export { Listeners } from "./listeners.ts";
export { type FilesContext, WatchedFiles } from "./watched-files.ts";
