import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type Authority, type AuthorityOptions, createAuthority } from "../certificates/index.ts";
import { CertificateFiles, type CertificateFilesOptions } from "./certificate-files.ts";

/** A folder with a certificate and its key. */
class Files implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trimtab-serving-"));
  readonly clock: VirtualClock;
  readonly logged: LogEntry[] = [];
  readonly files: CertificateFilesOptions & { readonly caFile: string } = {
    certFile: join(this.folder, "tls.crt"),
    keyFile: join(this.folder, "tls.key"),
    caFile: join(this.folder, "ca.crt"),
  };
  readonly source: CertificateFiles;

  constructor({ caFile, nowMs = Date.now() }: { caFile?: boolean; nowMs?: number } = {}) {
    this.clock = new VirtualClock(nowMs);
    const log = loggerTo((entry) => this.logged.push(entry));
    const { certFile, keyFile } = this.files;
    const options = caFile ? this.files : { certFile, keyFile };
    this.source = new CertificateFiles(options, { server: "webhooks", log, clock: this.clock });
  }

  /** Writes a new pair, and returns its certificate. The key is that of the other authority, if there is one. */
  write(authority: Authority, other?: Authority): string {
    const { cert, key } = authority.server(["localhost"]);
    writeFileSync(this.files.certFile, cert);
    writeFileSync(this.files.keyFile, other?.server(["localhost"]).key ?? key);
    return cert;
  }

  get errors(): unknown[] {
    return this.logged.filter(({ level }) => level === "error").map(({ fields }) => fields.error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
    expect(this.clock.timers).toBe(0);
  }
}

const dayMs = 86_400_000;

/** An authority whose certificates are valid for the given days from now, and for the hour before. */
function authorityFor({ from = 0, to }: { readonly from?: number; readonly to: number }): Authority {
  const options: AuthorityOptions = { nowMs: Date.now() + from * dayMs, validMs: (to - from) * dayMs };
  return createAuthority("short", options);
}

test("renewed files are used, and the change is logged and reported", async () => {
  await using files = new Files();
  files.write(createAuthority("old"));
  await files.source.start();
  let changes = 0;
  using _listener = files.source.onChange(() => {
    changes += 1;
  });
  const cert = files.write(createAuthority("new"));
  await files.clock.advance(30_000);
  expect([files.source.current.cert, changes]).toEqual([cert, 1]);
  const fields = { server: "webhooks", file: files.files.certFile };
  expect(files.logged).toEqual([{ level: "info", message: "certificate reloaded", fields }]);
});

test("files that are replaced by a rename are used", async () => {
  await using files = new Files();
  files.write(createAuthority("old"));
  await files.source.start();
  const { cert, key } = createAuthority("new").server(["localhost"]);
  const { certFile, keyFile } = files.files;
  writeFileSync(`${certFile}.new`, cert);
  writeFileSync(`${keyFile}.new`, key);
  renameSync(`${certFile}.new`, certFile);
  renameSync(`${keyFile}.new`, keyFile);
  await files.clock.advance(10_000);
  expect(files.source.current).toEqual({ cert, key });
});

test("a new key of the same certificate is used", async () => {
  await using files = new Files();
  files.write(createAuthority("old"));
  await files.source.start();
  const { key } = files.source.current;
  writeFileSync(files.files.keyFile, `${key}\n`);
  await files.clock.advance(10_000);
  expect(files.source.current.key).toBe(`${key}\n`);
});

test("junk, mismatched or missing new files are logged once, and the last good pair stays", async () => {
  await using files = new Files();
  const cert = files.write(createAuthority("good"));
  await files.source.start();
  const { certFile, keyFile } = files.files;
  writeFileSync(certFile, "junk");
  await files.clock.advance(30_000);
  files.write(createAuthority("other"), createAuthority("another"));
  await files.clock.advance(30_000);
  rmSync(keyFile);
  await files.clock.advance(30_000);
  expect(files.source.current.cert).toBe(cert);
  expect(files.errors).toEqual([
    expect.stringContaining(`expected a certificate in ${certFile} and its key in ${keyFile}, got `),
    expect.stringMatching(/key values mismatch/),
    expect.stringContaining(`expected the key of a certificate in ${keyFile}, got ENOENT`),
  ]);
});

test("a problem that comes back after it was fixed is logged again", async () => {
  await using files = new Files();
  const cert = files.write(createAuthority("good"));
  await files.source.start();
  for (const content of ["junk", cert, "junk"]) {
    writeFileSync(files.files.certFile, content);
    await files.clock.advance(10_000);
  }
  expect(files.errors.length).toBe(2);
});

test("a new certificate that has expired or is not valid yet is logged, and the current one stays", async () => {
  await using files = new Files();
  const cert = files.write(createAuthority("good"));
  await files.source.start();
  files.write(authorityFor({ from: -9, to: -1 }));
  await files.clock.advance(10_000);
  files.write(authorityFor({ from: 1, to: 9 }));
  await files.clock.advance(10_000);
  expect(files.source.current.cert).toBe(cert);
  const { certFile } = files.files;
  expect(files.errors).toEqual([
    expect.stringMatching(
      `^expected a valid certificate in ${certFile}, got one that expired at 20.*; renew it$`,
    ),
    expect.stringMatching(
      `^expected a valid certificate in ${certFile}, got one that is valid from 20.*; check`,
    ),
  ]);
});

test("a certificate that expires while it is used is logged once, until it is renewed", async () => {
  await using files = new Files();
  files.write(authorityFor({ to: 60_000 / dayMs }));
  await files.source.start();
  await files.clock.advance(50_000);
  expect(files.errors).toEqual([]);
  await files.clock.advance(50_000);
  expect(files.errors).toEqual([expect.stringMatching(/expired at 20.*; renew it$/)]);
  const cert = files.write(createAuthority("good"));
  await files.clock.advance(10_000);
  expect([files.source.current.cert, files.errors.length]).toEqual([cert, 1]);
});

test("a certificate that has expired before the start is used and logged", async () => {
  await using files = new Files({ nowMs: Date.now() + 20 * 365 * dayMs });
  const cert = files.write(createAuthority("good"));
  await files.source.start();
  await files.clock.advance(30_000);
  expect(files.source.current.cert).toBe(cert);
  expect(files.errors).toEqual([expect.stringMatching(/expired at 20/)]);
});

test("files that are missing, unreadable or mismatched at the start are an error", async () => {
  await using files = new Files({ caFile: true });
  const { certFile, caFile } = files.files;
  expect(() => files.source.current).toThrow("files not loaded yet");
  await expect(files.source.start()).rejects.toThrow(`expected a certificate in ${certFile}, got ENOENT`);
  writeFileSync(caFile, createAuthority("ca").cert);
  files.write(createAuthority("one"), createAuthority("other"));
  await expect(files.source.start()).rejects.toThrow("key values mismatch");
  files.write(createAuthority("one"));
  writeFileSync(caFile, "junk");
  await expect(files.source.start()).rejects.toThrow(`expected the certificate of a CA in ${caFile}, got`);
});

test("the CA file is the bundle for the registration, and its change is reported", async () => {
  await using files = new Files({ caFile: true });
  const authority = createAuthority("one");
  files.write(authority);
  writeFileSync(files.files.caFile, authority.cert);
  await files.source.start();
  expect(files.source.bundle).toBe(authority.cert);
  let changes = 0;
  using _listener = files.source.onChange(() => {
    changes += 1;
  });
  const { cert } = createAuthority("two");
  writeFileSync(files.files.caFile, cert);
  await files.clock.advance(20_000);
  expect([changes, files.source.bundle]).toEqual([1, cert]);
});
