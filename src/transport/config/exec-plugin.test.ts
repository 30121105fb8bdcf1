import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LogEntry, loggerTo, timestamp, VirtualClock } from "../../base/index.ts";
import { client, expired, rotated } from "../certificates.fixture.ts";
import { ConfigField } from "./config-field.ts";
import { ExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";
import type { ExecSection } from "./exec-section.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

const v1 = "client.authentication.k8s.io/v1";
const place = new ConfigField({}, { name: "~/.kube/config", lineOf: () => 20 }, ["users", 0, "user", "exec"]);

/** A plugin that records its input, then prints the file `reply`. */
const printsReply = `
const { appendFileSync, readFileSync } = require("node:fs");
const { KUBERNETES_EXEC_INFO, REGION, PARENT } = process.env;
const requests = { info: JSON.parse(KUBERNETES_EXEC_INFO), REGION, PARENT, args: process.argv.slice(2) };
appendFileSync(__dirname + "/requests", JSON.stringify(requests) + "\\n");
process.stdout.write(readFileSync(__dirname + "/reply"));
`;

interface PluginFolder extends TempFolder {
  plugin(section?: Partial<ExecSection>, options?: Partial<ExecPluginOptions>): ExecPlugin;
  reply(status: unknown, head?: object): Promise<unknown>;
  /** Returns the input of each run. */
  requests(): Promise<ReadonlyArray<Record<string, unknown>>>;
}

async function pluginFolder(script: string = printsReply): Promise<PluginFolder> {
  const folder = await tempFolder();
  const file = await folder.write("plugin.cjs", script);
  return {
    ...folder,
    plugin: (section, options) =>
      new ExecPlugin({
        section: { ...sectionOf(file), ...section, args: [file, ...(section?.args ?? [])] },
        cluster: () => ({ server: "https://dev" }),
        terminal: "none",
        clock: new VirtualClock(),
        ...options,
      }),
    reply: (status, head) =>
      folder.write("reply", JSON.stringify({ apiVersion: v1, kind: "ExecCredential", status, ...head })),
    async requests() {
      const lines = await readFile(join(folder.path, "requests"), "utf8").catch(() => "");
      return lines
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
  };
}

function sectionOf(file: string): ExecSection {
  return {
    place,
    apiVersion: v1,
    command: process.execPath,
    args: [file],
    env: [],
    installHint: "",
    provideClusterInfo: false,
    interactiveMode: "Never",
  };
}

async function failureOf(plugin: ExecPlugin): Promise<string> {
  const error: unknown = await Promise.resolve(plugin.current()).catch((thrown: unknown) => thrown);
  return (error as Error).message.replaceAll(process.execPath, "node");
}

test("a plugin's token is used, and concurrent callers share one run", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ token: "one" });
  const plugin = folder.plugin();

  const responses = await Promise.all([plugin.current(), plugin.current(), plugin.current()]);

  expect(responses[0]).toEqual({ authorization: "Bearer one" });
  expect(new Set(responses).size).toBe(1);
  expect(plugin.current()).toBe(responses[0]);
  expect(await folder.requests()).toHaveLength(1);
});

test("a plugin receives the version, the interactive mode, its arguments and its environment", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ token: "one" });
  const section = { args: ["--a", "b c"], env: [{ name: "REGION", value: "eu" }] };
  await folder.plugin(section, { env: { ...process.env, PARENT: "shell", REGION: "us" } }).current();
  expect(await folder.requests()).toEqual([
    {
      info: { apiVersion: v1, kind: "ExecCredential", spec: { interactive: false } },
      args: ["--a", "b c"],
      REGION: "eu",
      PARENT: "shell",
    },
  ]);
});

test("a plugin receives the cluster only with provideClusterInfo", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ token: "one" });
  const cluster = { server: "https://dev", "certificate-authority-data": "QUJD", config: { audience: "x" } };
  await folder.plugin({ provideClusterInfo: true }, { cluster: async () => cluster }).current();
  await folder.plugin({ provideClusterInfo: false }, { cluster: async () => cluster }).current();
  const requests = await folder.requests();
  expect(requests.map(({ info }) => (info as { spec: unknown }).spec)).toEqual([
    { interactive: false, cluster },
    { interactive: false },
  ]);
});

test("a credential is replaced 10 seconds before it expires", async () => {
  await using folder = await pluginFolder();
  const clock = new VirtualClock();
  await folder.reply({ token: "one", expirationTimestamp: timestamp(clock.now() + 60_000) });
  const plugin = folder.plugin({}, { clock });
  const first = await plugin.current();

  await folder.reply({ token: "two" });
  await clock.advance(49_999);
  expect(plugin.current()).toBe(first);
  await clock.advance(1);
  expect(await plugin.current()).toEqual({ authorization: "Bearer two" });
});

test("a credential that expires soon is used for half of its lifetime, and an expired one once", async () => {
  await using folder = await pluginFolder();
  const clock = new VirtualClock();
  const plugin = folder.plugin({}, { clock });
  await folder.reply({ token: "one", expirationTimestamp: timestamp(clock.now() + 4_000) });
  const first = await plugin.current();
  await clock.advance(1_999);
  expect(plugin.current()).toBe(first);

  await folder.reply({ token: "two", expirationTimestamp: timestamp(clock.now() - 4_000) });
  await clock.advance(1);
  expect(await plugin.current()).toEqual({ authorization: "Bearer two" });
  await plugin.current();
  expect(await folder.requests()).toHaveLength(3);
});

test("a credential without an expiry is cached until it is refused", async () => {
  await using folder = await pluginFolder();
  const clock = new VirtualClock();
  await folder.reply({ token: "one" });
  const plugin = folder.plugin({}, { clock });
  const first = await plugin.current();
  await folder.reply({ token: "two" });

  await clock.advance(10 * 86_400_000);
  expect(plugin.current()).toBe(first);
  expect(plugin.refused(first)).toBe(true);
  const second = await plugin.current();
  expect(second).toEqual({ authorization: "Bearer two" });
  expect(plugin.refused(first)).toBe(true);
  expect(plugin.current()).toBe(second);
});

test("a refused credential that the plugin returns again is the same object", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ token: "one" });
  const plugin = folder.plugin();
  const first = await plugin.current();
  plugin.refused(first);
  expect(await plugin.current()).toBe(first);
  expect(await folder.requests()).toHaveLength(2);
});

test("after a failed run the old credential stays in use until it expires", async () => {
  await using folder = await pluginFolder();
  const clock = new VirtualClock();
  const entries: LogEntry[] = [];
  const log = loggerTo((entry) => entries.push(entry));
  await folder.reply({ token: "one", expirationTimestamp: timestamp(clock.now() + 60_000) });
  const plugin = folder.plugin({}, { clock, log });
  const first = await plugin.current();

  await folder.write("reply", "nonsense");
  await clock.advance(50_000);
  expect(await plugin.current()).toBe(first);
  expect(plugin.current()).toBe(first);
  expect(entries.map(({ level }) => level)).toEqual(["warn"]);
  await clock.advance(10_000);
  expect(await failureOf(plugin)).toContain("to print JSON, got 8 bytes that are not JSON");
});

test("a failed run after a refusal is an error, and the next call runs the plugin again", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ token: "one" });
  const plugin = folder.plugin();
  plugin.refused(await plugin.current());
  await folder.write("reply", "");
  expect(await failureOf(plugin)).toContain("to print JSON, got nothing");
  await folder.reply({ token: "two" });
  expect(await plugin.current()).toEqual({ authorization: "Bearer two" });
});

test("a certificate is used with its key, with or without a token", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ clientCertificateData: client.cert, clientKeyData: client.key });
  const plugin = folder.plugin();
  const first = await plugin.current();
  expect(first).toMatchObject({ authorization: undefined, certificate: client });

  await folder.reply({ clientCertificateData: rotated.cert, clientKeyData: rotated.key, token: "one" });
  plugin.refused(first);
  expect(await plugin.current()).toMatchObject({ authorization: "Bearer one", certificate: rotated });
});

test("a credential expires with its certificate, or earlier if the reply has an earlier expiry", async () => {
  await using folder = await pluginFolder();
  const clock = new VirtualClock(Date.UTC(2025, 4, 31, 23, 59));
  await folder.reply({ clientCertificateData: expired.cert, clientKeyData: expired.key });
  const plugin = folder.plugin({}, { clock });
  await plugin.current();
  await folder.reply({ token: "two" });
  await clock.advance(50_000);
  expect(await plugin.current()).toEqual({ authorization: "Bearer two" });
});

const where = "(users[0].user.exec in ~/.kube/config:20)";

test.each<[string, unknown, object]>([
  ["to print a status, got none", undefined, {}],
  ["to print a token or a certificate, got neither", {}, {}],
  ["to print a token or a certificate, got neither", { token: "" }, {}],
  ["to print status.token as a string, got a number", { token: 7 }, {}],
  ["to print kind ExecCredential, got another one", { token: "t" }, { kind: "Pod" }],
  [`to print apiVersion ${v1}, got ${v1}beta1`, { token: "t" }, { apiVersion: `${v1}beta1` }],
  [
    "to print a key beside its certificate, got the certificate alone",
    { clientCertificateData: client.cert },
    {},
  ],
  ["to print a certificate beside its key, got the key alone", { clientKeyData: client.key }, {}],
  [
    "to print status.clientKeyData as the key of the certificate, got another certificate's",
    { clientCertificateData: client.cert, clientKeyData: rotated.key },
    {},
  ],
  [
    "to print status.clientCertificateData as a valid certificate, got one expired since 2025-06-01T00:00:00Z",
    { clientCertificateData: expired.cert, clientKeyData: expired.key },
    {},
  ],
  [
    "to print status.expirationTimestamp as an RFC 3339 time, got another text",
    { token: "t", expirationTimestamp: "soon" },
    {},
  ],
])("%s", async (message, status, head) => {
  await using folder = await pluginFolder();
  await folder.reply(status, head);
  expect(await failureOf(folder.plugin())).toBe(`expected credential plugin "node" ${message} ${where}`);
});

test("an unreadable certificate is an error", async () => {
  await using folder = await pluginFolder();
  await folder.reply({ clientCertificateData: "bad", clientKeyData: client.key });
  expect(await failureOf(folder.plugin())).toContain(
    "to print status.clientCertificateData as a certificate, got an unreadable one",
  );
});

test("output that is not JSON is described by its length", async () => {
  await using folder = await pluginFolder();
  await folder.write("reply", "x".repeat(500));
  expect(await failureOf(folder.plugin())).toBe(
    `expected credential plugin "node" to print JSON, got 500 bytes that are not JSON ${where}`,
  );
});

test("a non-zero exit code is an error with the end of standard error", async () => {
  await using folder = await pluginFolder(
    `process.stderr.write("x".repeat(3000) + "\\u001b[31mlog in first\\u001b[0m\\n"); process.exitCode = 3;`,
  );
  const failure = await failureOf(folder.plugin());
  expect(failure).toMatch(/^expected credential plugin "node" to exit with 0, got 3: x+log in first \(users/);
  expect(failure.length).toBeLessThan(2_200);
});

test("a missing plugin is an error with its install hint, without control characters", async () => {
  await using folder = await pluginFolder();
  const plugin = folder.plugin({
    command: "no-such-plugin",
    installHint: "run\u001b[2J brew install it\u0007",
  });
  expect(await failureOf(plugin)).toBe(
    `expected credential plugin "no-such-plugin" to be a program on this machine, got ENOENT ${where}\nrun brew install it`,
  );
});

test("a plugin that is not executable is an error", async () => {
  await using folder = await pluginFolder();
  const plugin = folder.plugin({
    command: await folder.write("data", "no program"),
    installHint: "not shown",
  });
  expect(await failureOf(plugin)).toMatch(
    /to start, got EACCES \(users\[0\]\.user\.exec in ~\/\.kube\/config:20\)$/,
  );
});

test("a plugin that does not end within 60 seconds is killed", async () => {
  await using folder = await pluginFolder("process.stderr.write('waiting'); setInterval(() => {}, 1000);");
  const clock = new VirtualClock();
  const failure = failureOf(folder.plugin({}, { clock }));
  await clock.advance(60_000);
  expect(await failure).toMatch(/^expected credential plugin "node" to end within 60000 ms, got no end/);
  expect(clock.timers).toBe(0);
});

test("a plugin that prints too much is killed", async () => {
  await using folder = await pluginFolder(
    "const go = () => process.stdout.write('x'.repeat(65536), go); go();",
  );
  const clock = new VirtualClock();
  expect(await failureOf(folder.plugin({}, { clock }))).toBe(
    `expected credential plugin "node" to print at most 1048576 bytes, got more ${where}`,
  );
  expect(clock.timers).toBe(0);
});

test("a plugin cannot read standard input unless it is interactive", async () => {
  await using folder = await pluginFolder(`
    const input = require("node:fs").readFileSync(0, "utf8");
    console.log(JSON.stringify({ apiVersion: "${v1}", kind: "ExecCredential", status: { token: "read " + input.length } }));
  `);
  expect(await folder.plugin().current()).toEqual({ authorization: "Bearer read 0" });
});

test.each([
  ["Never", true, false],
  ["Never", false, false],
  ["IfAvailable", true, true],
  ["IfAvailable", false, false],
  ["Always", true, true],
  ["", true, true],
  ["", false, false],
])(
  "interactiveMode %j with terminal %j gives interactive %j",
  async (interactiveMode, hasTerminal, interactive) => {
    await using folder = await pluginFolder();
    await folder.reply({ token: "one" });
    await folder.plugin({ interactiveMode }, { terminal: hasTerminal ? { write() {} } : "none" }).current();
    const requests = await folder.requests();
    expect(requests.map(({ info }) => (info as { spec: unknown }).spec)).toEqual([{ interactive }]);
  },
);

test("interactiveMode Always without a terminal is an error, and the plugin is not run", async () => {
  await using folder = await pluginFolder();
  expect(await failureOf(folder.plugin({ interactiveMode: "Always" }))).toBe(
    `expected credential plugin "node" to have a terminal on standard input (its interactiveMode is Always), got none ${where}`,
  );
  expect(await folder.requests()).toEqual([]);
});

test("an interactive plugin has no time limit, and its standard error is shown", async () => {
  await using folder = await pluginFolder(`
    process.stderr.write("open the browser");
    console.log(JSON.stringify({ apiVersion: "${v1}", kind: "ExecCredential", status: { token: "one" } }));
  `);
  const written: string[] = [];
  const clock = new VirtualClock();
  const terminal = { write: (text: string) => written.push(text) };
  const running = folder.plugin({ interactiveMode: "IfAvailable" }, { terminal, clock }).current();
  expect(clock.timers).toBe(0);
  expect(await running).toEqual({ authorization: "Bearer one" });
  expect(written.join("")).toBe("open the browser");
});
