import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { type Authority, createAuthority } from "../../certificates/index.ts";
import type { TlsFiles } from "../../serving/index.ts";
import { HttpServer, type HttpServerOptions, text } from "./http-server.ts";

/** A folder with a certificate and its key, until it is disposed. */
class Files implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "trimtab-tls-"));
  readonly tls: TlsFiles = {
    certFile: join(this.#folder, "tls.crt"),
    keyFile: join(this.#folder, "tls.key"),
  };

  write(authority: Authority): void {
    const { cert, key } = authority.server(["localhost"]);
    writeFileSync(this.tls.certFile, cert);
    writeFileSync(this.tls.keyFile, key);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function served(options: Partial<HttpServerOptions>): HttpServer {
  return new HttpServer({
    name: "metrics",
    host: "127.0.0.1",
    port: 0,
    handler: () => text(200, "hi"),
    ...options,
  });
}

/** Sends a request that trusts this authority. Returns the body or the error message. */
function fetched(
  port: number,
  trust: { readonly ca?: string; readonly rejectUnauthorized?: boolean },
): Promise<string> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", servername: "localhost", port, agent: false, ...trust };
    get(options, (response) => resolve(textOf(response))).on("error", (error) => resolve(error.message));
  });
}

test("the server presents the certificate from its files", async () => {
  using files = new Files();
  const authority = createAuthority("one");
  files.write(authority);
  await using server = served({ tls: files.tls });
  const port = await server.listen();
  expect(await fetched(port, { ca: authority.cert })).toBe("hi");
  expect(await fetched(port, { ca: createAuthority("other").cert })).toMatch(/certificate|signature/);
});

test("new connections get a certificate that is renewed in its files", async () => {
  using files = new Files();
  const clock = new VirtualClock(Date.now());
  files.write(createAuthority("old"));
  await using server = served({ tls: files.tls, clock });
  const port = await server.listen();
  const renewed = createAuthority("new");
  files.write(renewed);
  await clock.advance(10_000);
  expect(await fetched(port, { ca: renewed.cert })).toBe("hi");
  await server.close();
  expect(clock.timers).toBe(0);
});

test("invalid renewed files are logged, and the current certificate stays", async () => {
  using files = new Files();
  const clock = new VirtualClock(Date.now());
  const logged: LogEntry[] = [];
  const authority = createAuthority("old");
  files.write(authority);
  await using server = served({ tls: files.tls, clock, log: loggerTo((entry) => logged.push(entry)) });
  const port = await server.listen();
  writeFileSync(files.tls.certFile, "nonsense");
  await clock.advance(10_000);
  expect(await fetched(port, { ca: authority.cert })).toBe("hi");
  expect(logged.map(({ message, fields }) => [message, fields.server])).toEqual([
    ["certificate is invalid; keeping the current one", "metrics"],
  ]);
});

test("a certificate renewed by a changed symbolic link, as in a Secret volume, is presented", async () => {
  using files = new Files();
  const clock = new VirtualClock(Date.now());
  const folder = dirname(files.tls.certFile);
  /** Writes a new folder and changes the link `data` to it atomically. */
  const renew = (authority: Authority): void => {
    const name = `version-${readdirSync(folder).length}`;
    const { cert, key } = authority.server(["localhost"]);
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "tls.crt"), cert);
    writeFileSync(join(folder, name, "tls.key"), key);
    symlinkSync(name, join(folder, "next"));
    renameSync(join(folder, "next"), join(folder, "data"));
  };
  renew(createAuthority("old"));
  for (const file of ["tls.crt", "tls.key"]) symlinkSync(join("data", file), join(folder, file));
  await using server = served({ tls: files.tls, clock });
  const port = await server.listen();
  const renewed = createAuthority("new");
  renew(renewed);
  await clock.advance(10_000);
  expect(await fetched(port, { ca: renewed.cert })).toBe("hi");
});

test("deleted files keep the current certificate until there are new ones", async () => {
  using files = new Files();
  const clock = new VirtualClock(Date.now());
  const authority = createAuthority("old");
  files.write(authority);
  await using server = served({ tls: files.tls, clock });
  const port = await server.listen();
  rmSync(files.tls.certFile);
  await clock.advance(10_000);
  expect(await fetched(port, { ca: authority.cert })).toBe("hi");
  const renewed = createAuthority("new");
  files.write(renewed);
  await clock.advance(10_000);
  expect(await fetched(port, { ca: renewed.cert })).toBe("hi");
});

test("without files the server generates a self-signed certificate", async () => {
  await using server = served({ tls: true });
  const port = await server.listen();
  expect(await fetched(port, { rejectUnauthorized: false })).toBe("hi");
});

test("the error for missing files, or files that do not match, names them", async () => {
  using files = new Files();
  await using missing = served({ tls: files.tls });
  await expect(missing.listen()).rejects.toThrow(
    `expected a certificate in ${files.tls.certFile}, got ENOENT`,
  );
  files.write(createAuthority("one"));
  writeFileSync(files.tls.keyFile, createAuthority("other").server(["localhost"]).key);
  await using apart = served({ tls: files.tls });
  await expect(apart.listen()).rejects.toThrow(`and its key in ${files.tls.keyFile}, got `);
});

test("close waits for a response in progress", async () => {
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const handler = async ({ signal }: { readonly signal: AbortSignal }) => {
    start();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return text(200, "just in time");
  };
  await using server = served({ tls: true, handler });
  const response = fetched(await server.listen(), { rejectUnauthorized: false });
  await started;
  await server.close();
  expect(await response).toBe("just in time");
});
