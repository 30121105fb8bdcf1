import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clock, VirtualClock } from "../../base/index.ts";
import { authority, client, rotated } from "../certificates.fixture.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { configFrom } from "./find-config.ts";
import { parseKubeconfig } from "./kubeconfig.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

/** A plugin that records its input, then prints the file `status` as the credential's status. */
const script = `
const { appendFileSync, readFileSync } = require("node:fs");
const { apiVersion, kind, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
appendFileSync(__dirname + "/requests", JSON.stringify(spec) + "\\n");
console.log(JSON.stringify({ apiVersion, kind, status: JSON.parse(readFileSync(__dirname + "/status", "utf8")) }));
`;

interface ConfigSettings {
  readonly cluster?: string;
  readonly user?: string;
  readonly exec?: string;
  readonly clock?: Clock;
}

async function configIn(folder: TempFolder, settings: ConfigSettings = {}): Promise<ClusterConfig> {
  const { cluster = "", user = "", exec = "", clock = new VirtualClock() } = settings;
  const file = await folder.write("plugin.cjs", script);
  const text = `
current-context: dev
clusters: [{ name: dev, cluster: { server: "https://dev/", ${cluster} } }]
users:
- name: dev
  user:
    ${user}
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: ${JSON.stringify(process.execPath)}
      args: [${JSON.stringify(file)}]
      interactiveMode: Never
      ${exec}
contexts: [{ name: dev, context: { cluster: dev, user: dev } }]
`;
  return configFrom(await parseKubeconfig(text, { file: join(folder.path, "config") }), { clock });
}

async function requestsIn(folder: TempFolder): Promise<string[]> {
  const text = await readFile(join(folder.path, "requests"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

test("a plugin runs on first use, not when the configuration is loaded", async () => {
  await using folder = await tempFolder();
  await folder.write("status", JSON.stringify({ token: "one" }));
  const { identity } = await configIn(folder);
  expect(await requestsIn(folder)).toEqual([]);
  expect((await identity.current()).headers).toEqual({ authorization: "Bearer one" });
  expect(await requestsIn(folder)).toHaveLength(1);
});

test("equal configurations share one run, configurations with different plugin input do not", async () => {
  await using folder = await tempFolder();
  await folder.write("status", JSON.stringify({ token: "one" }));
  const clock = new VirtualClock();
  const one = await configIn(folder, { clock });
  const two = await configIn(folder, { clock, cluster: "tls-server-name: other" });
  await Promise.all([one.identity.current(), two.identity.current()]);
  expect(await requestsIn(folder)).toHaveLength(1);

  const other = await configIn(folder, { clock, exec: "env: [{ name: A, value: b }]" });
  await other.identity.current();
  expect(await requestsIn(folder)).toHaveLength(2);
});

test("a refusal in one configuration keeps a newer credential of another", async () => {
  await using folder = await tempFolder();
  await folder.write("status", JSON.stringify({ token: "one" }));
  const clock = new VirtualClock();
  const one = await configIn(folder, { clock });
  const two = await configIn(folder, { clock });
  const [first, second] = [await one.identity.current(), await two.identity.current()];

  await folder.write("status", JSON.stringify({ token: "two" }));
  expect(one.identity.refused(first)).toBe(true);
  await one.identity.current();
  expect(two.identity.refused(second)).toBe(true);

  expect((await two.identity.current()).headers).toEqual({ authorization: "Bearer two" });
  expect(await requestsIn(folder)).toHaveLength(2);
});

test("plugins with provideClusterInfo receive the cluster, with the certificate authority inline", async () => {
  await using folder = await tempFolder();
  await folder.write("status", JSON.stringify({ token: "one" }));
  await folder.write("ca.crt", authority);
  const { identity } = await configIn(folder, {
    exec: "provideClusterInfo: true",
    cluster:
      'certificate-authority: ca.crt, tls-server-name: api, proxy-url: "http://proxy:1", extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: dev } }]',
  });
  await identity.current();
  expect((await requestsIn(folder)).map((line) => JSON.parse(line))).toEqual([
    {
      interactive: false,
      cluster: {
        server: "https://dev",
        "tls-server-name": "api",
        "certificate-authority-data": Buffer.from(authority).toString("base64"),
        "proxy-url": "http://proxy:1",
        config: { audience: "dev" },
      },
    },
  ]);
});

test("plugins with provideClusterInfo are not shared between clusters", async () => {
  await using folder = await tempFolder();
  await folder.write("status", JSON.stringify({ token: "one" }));
  const clock = new VirtualClock();
  for (const cluster of ["tls-server-name: a", "tls-server-name: b", "tls-server-name: a"]) {
    await (await configIn(folder, { clock, cluster, exec: "provideClusterInfo: true" })).identity.current();
  }
  expect(await requestsIn(folder)).toHaveLength(2);
});

test("a new certificate from a plugin creates new TLS material, a new token does not", async () => {
  await using folder = await tempFolder();
  const certificate = { clientCertificateData: client.cert, clientKeyData: client.key };
  const { identity } = await configIn(folder);
  const next = async (status: unknown) => {
    await folder.write("status", JSON.stringify(status));
    const presented = await identity.current();
    identity.refused(presented);
    return presented;
  };

  const first = await next({ ...certificate, token: "one" });
  const second = await next({ ...certificate, token: "two" });
  const third = await next({ clientCertificateData: rotated.cert, clientKeyData: rotated.key });

  expect(first).toEqual({ headers: { authorization: "Bearer one" }, tls: { ...client, insecure: false } });
  expect(second.headers).toEqual({ authorization: "Bearer two" });
  expect(second.tls).toBe(first.tls);
  expect(third).toEqual({ headers: {}, tls: { ...rotated, insecure: false } });
});

test.each([
  "token: sesame",
  "username: jane",
  "tokenFile: plugin.cjs",
  "client-certificate: jane.crt\n    client-key: jane.key",
])("a plugin is not run for a user with { %s }", async (user) => {
  await using folder = await tempFolder();
  await folder.write("jane.crt", client.cert);
  await folder.write("jane.key", client.key);
  const { identity } = await configIn(folder, { user });
  await identity.current();
  expect(await requestsIn(folder)).toEqual([]);
});
