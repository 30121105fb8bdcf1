import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { authority, client, expired, rotated } from "../certificates.fixture.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { configFrom } from "./find-config.ts";
import { parseKubeconfig } from "./kubeconfig.ts";
import type { ConfigOptions } from "./load-options.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

const fiveMinutes = 300_000;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function configWith(
  folder: TempFolder,
  user: string,
  options: ConfigOptions = {},
): Promise<ClusterConfig> {
  const text = `
current-context: dev
clusters: [{ name: dev, cluster: { server: "https://dev", certificate-authority: ca.crt, tls-server-name: api } }]
users:
- { name: dev, user: { ${user} } }
contexts: [{ name: dev, context: { cluster: dev, user: dev } }]
`;
  const kubeconfig = await parseKubeconfig(text, { file: `${folder.path}/config`, homeDir: folder.path });
  return configFrom(kubeconfig, { clock: new VirtualClock(), ...options });
}

async function withCertificateFiles(folder: TempFolder, options: ConfigOptions = {}): Promise<ClusterConfig> {
  await folder.write("ca.crt", authority);
  await folder.write("jane.crt", client.cert);
  await folder.write("jane.key", client.key);
  return configWith(folder, "client-certificate: jane.crt, client-key: jane.key", options);
}

test("certificates in files and in the kubeconfig give the same TLS material", async () => {
  await using folder = await tempFolder();
  const fromFiles = await withCertificateFiles(folder);
  const fromData = await configWith(
    folder,
    `client-certificate-data: ${base64(client.cert)}, client-key-data: ${base64(client.key)}`,
  );
  const tls = { ca: authority, cert: client.cert, key: client.key, serverName: "api", insecure: false };
  for (const { identity } of [fromFiles, fromData]) {
    expect(await identity.current()).toEqual({ headers: {}, tls });
  }
});

test("current returns the same object, without a promise, while nothing changes", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const { identity } = await withCertificateFiles(folder, { clock });
  const first = identity.current();
  expect(first).not.toBeInstanceOf(Promise);
  await clock.advance(fiveMinutes);
  expect(await identity.current()).toBe(first);
});

test("new certificate files create new TLS material within five minutes", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const { identity } = await withCertificateFiles(folder, { clock });
  const first = await identity.current();

  await folder.write("jane.crt", rotated.cert);
  await folder.write("jane.key", rotated.key);
  await clock.advance(fiveMinutes - 1);
  expect(identity.current()).toBe(first);
  await clock.advance(1);
  const second = await identity.current();

  expect(second.tls).not.toBe(first.tls);
  expect(second.tls).toMatchObject({ cert: rotated.cert, key: rotated.key, ca: authority });
});

test("a new certificate authority file creates new TLS material", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const { identity } = await withCertificateFiles(folder, { clock });
  const first = await identity.current();
  const both = `${authority}${rotated.cert}`;
  await folder.write("ca.crt", both);
  await clock.advance(fiveMinutes);
  const second = await identity.current();
  expect(second.tls).toEqual({ ...first.tls, ca: both });
});

test.each(["", "not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])(
  "an invalid new certificate authority file keeps the old one in use: %j",
  async (text) => {
    await using folder = await tempFolder();
    const clock = new VirtualClock();
    const entries: LogEntry[] = [];
    const log = loggerTo((entry) => entries.push(entry));
    const { identity } = await withCertificateFiles(folder, { clock, log });
    const first = await identity.current();
    await folder.write("ca.crt", text);
    await clock.advance(fiveMinutes);
    expect(await identity.current()).toBe(first);
    expect(entries.map(({ level, fields }) => [level, fields.what])).toEqual([
      ["warn", "certificate authority"],
    ]);
  },
);

test("a certificate that is replaced before its key is used when both match", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const { identity } = await withCertificateFiles(folder, { clock });
  const first = await identity.current();

  await folder.write("jane.crt", rotated.cert);
  await clock.advance(fiveMinutes);
  expect(await identity.current()).toBe(first);
  await folder.write("jane.key", rotated.key);
  await clock.advance(60_000);
  expect((await identity.current()).tls).toMatchObject(rotated);
});

test("certificate files are reloaded when the server refuses the credentials", async () => {
  await using folder = await tempFolder();
  const { identity } = await withCertificateFiles(folder);
  const first = await identity.current();
  await folder.write("jane.crt", rotated.cert);
  await folder.write("jane.key", rotated.key);

  expect(identity.refused(first)).toBe(true);
  const second = await identity.current();
  expect(second.tls).toMatchObject(rotated);
  expect(identity.refused(first)).toBe(true);
  expect(identity.current()).toBe(second);
});

test("a token or certificate in the kubeconfig cannot be reloaded", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  const users = [
    "token: sesame",
    "username: jane, password: sesame",
    `client-certificate-data: ${base64(client.cert)}, client-key-data: ${base64(client.key)}`,
  ];
  for (const user of users) {
    const { identity } = await configWith(folder, user);
    expect(identity.refused(await identity.current())).toBe(false);
  }
});

test("a password becomes a Basic header", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  const { identity } = await configWith(folder, 'username: jane, password: "sésame:1"');
  expect((await identity.current()).headers).toEqual({ authorization: `Basic ${base64("jane:sésame:1")}` });
});

test("a new token keeps the TLS material", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  await folder.write("ca.crt", authority);
  await folder.write("token", "one");
  const { identity } = await configWith(folder, "tokenFile: token", { clock });
  const first = await identity.current();
  await folder.write("token", "two");
  expect(identity.refused(first)).toBe(true);
  const second = await identity.current();
  expect(second.headers).toEqual({ authorization: "Bearer two" });
  expect(second.tls).toBe(first.tls);
});

test("an expired certificate is an error with the time and the file", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  const file = await folder.write("jane.crt", expired.cert);
  await folder.write("jane.key", expired.key);
  await expect(configWith(folder, "client-certificate: jane.crt, client-key: jane.key")).rejects.toThrow(
    `expected users[0].user.client-certificate to be a valid certificate in ~/config:5, got one expired since 2025-06-01T00:00:00Z in ${file}`,
  );
});

test("a certificate that expires in use is reloaded, and is then an error", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock(Date.UTC(2025, 4, 31, 23, 59, 59));
  await folder.write("ca.crt", authority);
  await folder.write("jane.crt", expired.cert);
  await folder.write("jane.key", expired.key);
  const { identity } = await configWith(folder, "client-certificate: jane.crt, client-key: jane.key", {
    clock,
  });
  expect(identity.current()).not.toBeInstanceOf(Promise);

  await clock.advance(1_000);
  await expect(Promise.resolve(identity.current())).rejects.toThrow("expired since 2025-06-01T00:00:00Z");
  await folder.write("jane.crt", client.cert);
  await folder.write("jane.key", client.key);
  expect((await identity.current()).tls).toMatchObject(client);
});

test.each([
  [
    { "jane.key": rotated.key },
    "expected users[0].user.client-key to be the key of the certificate in ~/config:5, got another certificate's in jane.key",
  ],
  [
    { "jane.key": "nonsense" },
    "expected users[0].user.client-key to be PEM in ~/config:5, got other text in jane.key",
  ],
  [
    { "jane.crt": "" },
    "expected users[0].user.client-certificate to be PEM in ~/config:5, got nothing in jane.crt",
  ],
  [
    { "jane.key": client.cert },
    "expected users[0].user.client-key to be a private key without a passphrase in ~/config:5, got an unreadable one",
  ],
  [
    { "jane.crt": client.key },
    "expected users[0].user.client-certificate to be a certificate in ~/config:5, got an unreadable one",
  ],
  [
    { "ca.crt": client.key },
    "expected clusters[0].cluster.certificate-authority to be a certificate in ~/config:3, got an unreadable one",
  ],
])("invalid files are an error that names file and field: %#", async (files, message) => {
  await using folder = await tempFolder();
  const good = { "ca.crt": authority, "jane.crt": client.cert, "jane.key": client.key };
  for (const [name, text] of Object.entries({ ...good, ...files })) await folder.write(name, text);
  const failing: unknown = await configWith(
    folder,
    "client-certificate: jane.crt, client-key: jane.key",
  ).catch((thrown: unknown) => thrown);
  expect((failing as Error).message.replace(`${folder.path}/`, "")).toContain(message);
});

test("a missing key file is an error that names file and field", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  await folder.write("jane.crt", client.cert);
  await expect(configWith(folder, "client-certificate: jane.crt, client-key: jane.key")).rejects.toThrow(
    `expected users[0].user.client-key to name a readable file in ~/config:5, got ENOENT for ${folder.path}/jane.key`,
  );
});

test("data that is not base64 is an error that does not quote it", async () => {
  await using folder = await tempFolder();
  await folder.write("ca.crt", authority);
  await expect(
    configWith(folder, `client-certificate-data: ${base64(client.cert)}, client-key-data: "se*same"`),
  ).rejects.toThrow("expected users[0].user.client-key-data to be base64 in ~/config:5, got other text");
});
