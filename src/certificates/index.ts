/**
 * Certificates for servers and their users, made in this process and gone with it.
 *
 * It promises what TLS of Node, Go and OpenSSL accepts: X.509 version 3 with P-256 keys, made in about a millisecond.
 * It reads and checks none: TLS does that.
 *
 * @module
 */
export { type Authority, createAuthority, type KeyedCertificate } from "./authority.ts";
export type { Subject } from "./certificate.ts";
