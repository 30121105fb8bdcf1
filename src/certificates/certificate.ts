import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";
import { secretToken } from "../base/index.ts";
import { der } from "./der.ts";

/** The subject of a certificate. */
export interface Subject {
  readonly commonName: string;
  /** @default none */
  readonly organizations?: readonly string[] | undefined;
}

export interface CertificateContent {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  /** The issuer. The certificate of an authority is issued by itself. */
  readonly issuer: { readonly subject: Subject; readonly privateKey: KeyObject };
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly use: Use;
}

/** The purpose of a certificate, with the host names of a server. */
export type Use =
  | { readonly type: "authority" }
  | { readonly type: "client" }
  | { readonly type: "server"; readonly hosts: readonly string[] };

/** Encodes an X.509 version 3 certificate in PEM, signed by ECDSA with SHA-256. */
export function certificatePem(content: CertificateContent): string {
  const body = toBeSigned(content);
  const signature = sign("sha256", body, content.issuer.privateKey);
  return pem(der.sequence(body, ecdsaWithSha256, der.bits(signature)));
}

const ecdsaWithSha256 = der.sequence(der.oid("1.2.840.10045.4.3.2"));
const version3 = der.tagged(0, der.integer(Buffer.from([2])), { constructed: true });

function toBeSigned({ subject, publicKey, issuer, notBefore, notAfter, use }: CertificateContent): Buffer {
  const authorityKey = createPublicKey(issuer.privateKey);
  const extensions = der.sequence(
    ...extensionsFor(use),
    extension("2.5.29.14", der.octets(keyId(publicKey))),
    extension("2.5.29.35", der.sequence(der.tagged(0, keyId(authorityKey)))),
  );
  return der.sequence(
    version3,
    der.integer(Buffer.from(secretToken(16), "base64url")),
    ecdsaWithSha256,
    name(issuer.subject),
    der.sequence(der.time(notBefore), der.time(notAfter)),
    name(subject),
    spki(publicKey),
    der.tagged(3, extensions, { constructed: true }),
  );
}

function name({ commonName, organizations = [] }: Subject): Buffer {
  const part = (oid: string, text: string): Buffer => der.set(der.sequence(der.oid(oid), der.utf8(text)));
  return der.sequence(
    ...organizations.map((organization) => part("2.5.4.10", organization)),
    part("2.5.4.3", commonName),
  );
}

/**
 * Returns the extensions for the purpose: basic constraints, key usage, extended key usage, subject alternative names.
 */
function extensionsFor(use: Use): Buffer[] {
  switch (use.type) {
    case "authority":
      return [basicConstraints(true), keyUsage(0b0000_0110)];
    case "client":
      return [basicConstraints(false), keyUsage(0b1000_0000), extendedUsage("1.3.6.1.5.5.7.3.2")];
    case "server": {
      const names = extension("2.5.29.17", der.sequence(...use.hosts.map(alternativeName)));
      return [basicConstraints(false), keyUsage(0b1000_0000), extendedUsage("1.3.6.1.5.5.7.3.1"), names];
    }
  }
}

function basicConstraints(authority: boolean): Buffer {
  return extension("2.5.29.19", authority ? der.sequence(der.boolean(true)) : der.sequence(), true);
}

/** Encodes key usage. Bits from the left: 0 digital signature, 5 certificate signing, 6 CRL signing. */
function keyUsage(bits: number): Buffer {
  const unused = Math.log2(bits & -bits);
  return extension("2.5.29.15", der.bits(Buffer.from([bits]), unused), true);
}

function extendedUsage(oid: string): Buffer {
  return extension("2.5.29.37", der.sequence(der.oid(oid)));
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  const mark = critical ? [der.boolean(true)] : [];
  return der.sequence(der.oid(oid), ...mark, der.octets(value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) ? der.tagged(7, addressBytes(host)) : der.tagged(2, Buffer.from(host));
}

function addressBytes(address: string): Buffer {
  return isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : sixteenBytes(address);
}

function sixteenBytes(address: string): Buffer {
  // The URL parser normalizes an address: no dots, and at most one "::".
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

/** Returns a key identifier. It identifies keys and has no security purpose. */
function keyId(key: KeyObject): Buffer {
  return createHash("sha1").update(spki(key)).digest();
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
