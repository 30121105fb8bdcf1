import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { createAuthority } from "./authority.ts";

test("the certificate of an authority is self-signed and marked as a CA", () => {
  const ca = new X509Certificate(createAuthority("test-ca").cert);
  expect([ca.subject, ca.issuer, ca.ca, ca.verify(ca.publicKey)]).toEqual([
    "CN=test-ca",
    "CN=test-ca",
    true,
    true,
  ]);
});

test("a server certificate is valid only for its names and addresses", () => {
  const authority = createAuthority("test-ca");
  const hosts = ["localhost", "127.0.0.1", "::1", "fe80::1:0:2", "::ffff:10.0.0.1", "cluster.example.dev"];
  const cert = new X509Certificate(authority.server(hosts).cert);
  expect(cert.checkIssued(new X509Certificate(authority.cert))).toBe(true);
  expect(cert.subjectAltName).toBe(
    "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:1:0:2, " +
      "IP Address:0:0:0:0:0:FFFF:A00:1, DNS:cluster.example.dev",
  );
  expect([cert.checkIP("127.0.0.1"), cert.checkHost("other.example.dev")]).toEqual(["127.0.0.1", undefined]);
  expect([cert.ca, cert.keyUsage]).toEqual([false, ["1.3.6.1.5.5.7.3.1"]]);
});

test("a client certificate has the name and every group, in any script and length", () => {
  const long = "g".repeat(300);
  const { cert } = createAuthority("test-ca").client({
    commonName: "Åse, Ünal",
    organizations: ["readers", "a=b+c", long],
  });
  expect(new X509Certificate(cert).toLegacyObject().subject).toEqual({
    CN: "Åse, Ünal",
    O: ["readers", "a=b+c", long],
  });
});

test("certificates are valid for years, and their serial numbers are unique", () => {
  const authority = createAuthority("test-ca");
  const certs = Array.from({ length: 50 }, () => new X509Certificate(authority.server(["localhost"]).cert));
  const [first] = certs;
  expect(new Set(certs.map((cert) => cert.serialNumber)).size).toBe(50);
  expect(Date.parse(first?.validFrom ?? "")).toBeLessThan(Date.now());
  expect(Date.parse(first?.validTo ?? "")).toBeGreaterThan(Date.now() + 9 * 365 * 86_400_000);
});

test("both ends of a TLS connection accept certificates of the same authority", async () => {
  const authority = createAuthority("test-ca");
  expect(await handshake(authority, authority)).toEqual({
    trusted: true,
    subject: { CN: "ana", O: "readers" },
  });
});

test("certificates of another authority with the same name are refused", async () => {
  const authority = createAuthority("test-ca");
  expect(await handshake(authority, createAuthority("test-ca"))).toMatchObject({ trusted: false });
});

/** Connects a client of `clients` to a server of `servers`, and returns the peer that the server sees. */
async function handshake(
  servers: ReturnType<typeof createAuthority>,
  clients: ReturnType<typeof createAuthority>,
): Promise<object> {
  const server = createServer({
    ...servers.server(["localhost"]),
    ca: servers.cert,
    requestCert: true,
    rejectUnauthorized: false,
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "secureConnection");
  const client = connect({
    port: (server.address() as AddressInfo).port,
    servername: "localhost",
    ca: servers.cert,
    ...clients.client({ commonName: "ana", organizations: ["readers"] }),
  });
  client.on("error", () => {});
  const [socket] = (await connected) as [TLSSocket];
  const seen = { trusted: socket.authorized, subject: { ...socket.getPeerCertificate().subject } };
  client.destroy();
  socket.destroy();
  server.close();
  await once(server, "close");
  return seen;
}
