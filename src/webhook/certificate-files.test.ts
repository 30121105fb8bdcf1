import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type Authority, createAuthority } from "../certificates/index.ts";
import { CertificateFiles } from "./certificate-files.ts";
import { Served } from "./served.fixture.ts";
import { webhook } from "./webhook.ts";
import { Website } from "./website.fixture.ts";

const { hooks } = webhook(Website, { validate() {} });
const path = "/validate-example-dev-v1-website";

/** A folder with a certificate and its key, and the server that uses them. */
class Files implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trimtab-webhook-"));
  readonly clock: VirtualClock = new VirtualClock(Date.now());
  readonly logged: LogEntry[] = [];
  readonly files = { certFile: join(this.folder, "tls.crt"), keyFile: join(this.folder, "tls.key") };
  source: CertificateFiles = this.newSource();

  newSource(clock: VirtualClock = this.clock, extra: object = {}): CertificateFiles {
    const log = loggerTo((entry) => this.logged.push(entry));
    return new CertificateFiles({ ...this.files, ...extra }, { log, clock });
  }

  write(authority: Authority, other: Authority = authority): void {
    writeFileSync(this.files.certFile, authority.server(["localhost"]).cert);
    const { cert, key } = authority.server(["localhost"]);
    writeFileSync(this.files.certFile, cert);
    writeFileSync(this.files.keyFile, other === authority ? key : other.server(["localhost"]).key);
  }

  get errors(): unknown[] {
    return this.logged.filter(({ level }) => level === "error").map(({ fields }) => fields.error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }
}

test("renewed files are used for new connections", async () => {
  await using files = new Files();
  files.write(createAuthority("old"));
  await files.source.start();
  await using served = await Served.start({ hooks, certificates: files.source });
  const renewed = createAuthority("new");
  files.write(renewed);
  await files.clock.advance(10_000);
  expect(await served.post(path, undefined, { ca: renewed.cert })).toMatchObject({ status: 200 });
  expect(files.logged.map(({ message }) => message)).toEqual(["webhook certificate reloaded"]);
});

test("junk, mismatched or missing new files are logged once, and the last good pair stays", async () => {
  await using files = new Files();
  const authority = createAuthority("good");
  files.write(authority);
  await files.source.start();
  await using served = await Served.start({ hooks, certificates: files.source });
  const { certFile, keyFile } = files.files;
  writeFileSync(certFile, "junk");
  await files.clock.advance(30_000);
  files.write(createAuthority("other"), createAuthority("another"));
  await files.clock.advance(30_000);
  rmSync(keyFile);
  await files.clock.advance(30_000);
  expect(files.errors).toEqual([
    expect.stringContaining(`expected a certificate in ${certFile} and its key in ${keyFile}, got `),
    expect.stringMatching(/key values mismatch/),
    expect.stringContaining(`expected the key of a certificate in ${keyFile}, got ENOENT`),
  ]);
  expect(await served.post(path, undefined, { ca: authority.cert })).toMatchObject({ status: 200 });
});

test("an expired new certificate is logged, and the current one stays", async () => {
  await using files = new Files();
  files.write(createAuthority("good"));
  const later = new VirtualClock(Date.now() + 20 * 365 * 86_400_000);
  files.source = files.newSource(later);
  await files.source.start();
  const { cert } = files.source.current;
  files.write(createAuthority("another expired one"));
  await later.advance(10_000);
  expect(files.source.current.cert).toBe(cert);
  expect(files.errors).toEqual([
    expect.stringMatching(/^expected a valid certificate in .*, got one that expired at 20/),
  ]);
});

test("files that are missing, unreadable or mismatched at the start are an error", async () => {
  await using files = new Files();
  await expect(files.source.start()).rejects.toThrow(
    `expected a certificate in ${files.files.certFile}, got ENOENT`,
  );
  files.write(createAuthority("one"), createAuthority("other"));
  await expect(files.source.start()).rejects.toThrow("key values mismatch");
  files.write(createAuthority("one"));
  const caFile = join(files.folder, "ca.crt");
  writeFileSync(caFile, "junk");
  await expect(files.newSource(files.clock, { caFile }).start()).rejects.toThrow(
    `expected a certificate in ${caFile}, got`,
  );
});

test("the CA file is the bundle for the registration, and its change is reported", async () => {
  await using files = new Files();
  const authority = createAuthority("one");
  files.write(authority);
  const caFile = join(files.folder, "ca.crt");
  writeFileSync(caFile, authority.cert);
  files.source = files.newSource(files.clock, { caFile });
  await files.source.start();
  expect(files.source.bundle).toBe(authority.cert);
  let changes = 0;
  using _listener = files.source.onChange(() => {
    changes += 1;
  });
  writeFileSync(caFile, createAuthority("two").cert);
  await files.clock.advance(20_000);
  expect([changes, files.source.bundle === authority.cert]).toEqual([1, false]);
});
