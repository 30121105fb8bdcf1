/**
 * Certificates for servers and clients, created in this process.
 *
 * TLS of Node, Go and OpenSSL accepts them: X.509 version 3 with P-256 keys. Creating one takes about a millisecond.
 * This folder reads only the validity times of other certificates; TLS verifies them.
 *
 * @module
 */
export {
  type Authority,
  type AuthorityOptions,
  createAuthority,
  type KeyedCertificate,
} from "./authority.ts";
export type { Subject } from "./certificate.ts";
export { validityOf } from "./validity.ts";
