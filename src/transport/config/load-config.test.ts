import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { loggerTo } from "../../base/index.ts";
import { authority, client } from "../certificates.fixture.ts";
import { ConfigError } from "./config-error.ts";
import { configFrom } from "./find-config.ts";
import { parseKubeconfig } from "./kubeconfig.ts";
import { loadConfig } from "./load-config.ts";
import type { LoadOptions } from "./load-options.ts";
import { base64, kubeconfigOf } from "./one-context.fixture.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

/** Options that hide the configuration of this machine. */
function nowhere(folder: TempFolder): LoadOptions {
  return { env: {}, homeDir: folder.path, serviceAccountDir: join(folder.path, "no-service-account") };
}

async function problemOf(options: LoadOptions): Promise<string> {
  const error: unknown = await loadConfig(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

test("the kubeconfig option comes first, then KUBECONFIG, then the Pod, then the home directory", async () => {
  await using folder = await tempFolder();
  const kubeconfig = await folder.write("option", kubeconfigOf("option"));
  const listed = await folder.write("listed", kubeconfigOf("listed"));
  await folder.write(".kube/config", kubeconfigOf("home"));
  await folder.write("account/token", "pod-token");
  await folder.write("account/ca.crt", authority);
  const pod = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const common = { homeDir: folder.path, serviceAccountDir: join(folder.path, "account") };

  const found = await Promise.all([
    loadConfig({ ...common, env: { ...pod, KUBECONFIG: listed }, kubeconfig }),
    loadConfig({ ...common, env: { ...pod, KUBECONFIG: listed } }),
    loadConfig({ ...common, env: pod }),
    loadConfig({ ...common, env: {} }),
  ]);

  expect(found.map(({ server, origin }) => ({ server, origin }))).toEqual([
    { server: "https://option:6443", origin: "~/option, context option" },
    { server: "https://listed:6443", origin: "~/listed, context listed" },
    { server: "https://10.96.0.1", origin: "in-cluster service account" },
    { server: "https://home:6443", origin: "~/.kube/config, context home" },
  ]);
});

test("disable-compression of the kubeconfig is used", async () => {
  const load = async (cluster: string) => configFrom(await parseKubeconfig(kubeconfigOf("dev", { cluster })));
  const configs = await Promise.all([load("disable-compression: true"), load("")]);
  expect(configs.map(({ disableCompression }) => disableCompression)).toEqual([true, false]);
});

test("an empty KUBECONFIG is ignored, and HOME is the home directory", async () => {
  await using folder = await tempFolder();
  await folder.write(".kube/config", kubeconfigOf("home"));
  const { server } = await loadConfig({ env: { KUBECONFIG: "", HOME: folder.path } });
  expect(server).toBe("https://home:6443");
});

test("files in KUBECONFIG are merged, each read once, missing ones skipped", async () => {
  await using folder = await tempFolder();
  const one = await folder.write("one", kubeconfigOf("one").replace(/^clusters.*$/m, ""));
  const two = await folder.write(
    "two",
    `${kubeconfigOf("two")}`.replace("name: two, cluster", "name: one, cluster"),
  );
  const list = [join(folder.path, "missing"), one, one, "", two].join(delimiter);

  const { server, origin } = await loadConfig({ ...nowhere(folder), env: { KUBECONFIG: list } });

  expect({ server, origin }).toEqual({ server: "https://two:6443", origin: "~/one, context one" });
});

test("after a merge, relative paths are still relative to their file", async () => {
  await using folder = await tempFolder();
  const one = await folder.write("a/config", "current-context: two");
  const two = await folder.write("b/config", kubeconfigOf("two", { user: "tokenFile: token" }));
  await folder.write("b/token", "from b");

  const config = await loadConfig({ ...nowhere(folder), env: { KUBECONFIG: [one, two].join(delimiter) } });

  expect((await config.identity.current()).headers).toEqual({ authorization: "Bearer from b" });
});

test("a kubeconfig option for a missing file or a folder is an error", async () => {
  await using folder = await tempFolder();
  const missing = join(folder.path, "missing");
  await mkdir(join(folder.path, "folder"));

  expect(await problemOf({ ...nowhere(folder), kubeconfig: missing })).toBe(
    `expected the kubeconfig option to name a file, got ${missing}, which does not exist`,
  );
  expect(await problemOf({ ...nowhere(folder), kubeconfig: join(folder.path, "folder") })).toBe(
    "expected ~/folder to be a readable file, got EISDIR",
  );
});

test("KUBECONFIG without any existing file is an error", async () => {
  await using folder = await tempFolder();
  await folder.write(".kube/config", kubeconfigOf("home"));
  expect(await problemOf({ ...nowhere(folder), env: { KUBECONFIG: `/no/a${delimiter}/no/b` } })).toBe(
    "expected KUBECONFIG to name at least one file, got /no/a, /no/b, which do not exist: correct it, or unset it",
  );
  expect(await problemOf({ ...nowhere(folder), env: { KUBECONFIG: "/no/a" } })).toBe(
    "expected KUBECONFIG to name at least one file, got /no/a, which does not exist: correct it, or unset it",
  );
});

test("the problems of several files are one error", async () => {
  await using folder = await tempFolder();
  const one = await folder.write("one", "users: 1");
  const two = await folder.write("two", "users: 2");
  expect(await problemOf({ ...nowhere(folder), env: { KUBECONFIG: [one, two].join(delimiter) } })).toBe(
    "expected a usable configuration, got 2 problems:" +
      "\n- expected users to be a list in ~/one:1, got 1" +
      "\n- expected users to be a list in ~/two:1, got 2",
  );
});

test("a missing configuration is an error that lists the checked places and the options", async () => {
  await using folder = await tempFolder();
  expect(await problemOf(nowhere(folder))).toBe(
    [
      "expected a cluster to talk to, got none:",
      "- the kubeconfig option: not given",
      "- KUBECONFIG: not set",
      '- the Pod\'s service account: expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, as in a Pod, got "" and ""',
      `- ${join(folder.path, ".kube", "config")}: does not exist`,
      "pass kubeconfig or server, set KUBECONFIG, or write ~/.kube/config",
    ].join("\n"),
  );
});

test("the server option alone is sufficient", async () => {
  await using folder = await tempFolder();
  const config = await loadConfig({ ...nowhere(folder), server: "http://127.0.0.1:8001/" });
  expect([config.server, config.namespace, config.origin]).toEqual([
    "http://127.0.0.1:8001",
    "default",
    "the server option",
  ]);
});

test("with a context option, a kubeconfig is used even in a Pod", async () => {
  await using folder = await tempFolder();
  await folder.write(".kube/config", kubeconfigOf("home"));
  await folder.write("no-service-account/token", "pod-token");
  const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const { server } = await loadConfig({ ...nowhere(folder), env, context: "home" });
  expect(server).toBe("https://home:6443");
});

const several = `
current-context: dev
clusters:
- { name: near, cluster: { server: "https://near" } }
- { name: far, cluster: { server: "https://far" } }
- { name: broken, cluster: {} }
users:
- { name: jane, user: { token: janes } }
- { name: joe, user: { token: joes } }
- { name: old, user: { auth-provider: { name: gcp } } }
contexts:
- { name: dev, context: { cluster: near, user: jane, namespace: shop } }
- { name: prod, context: { cluster: far, user: joe } }
- { name: anonymous, context: { cluster: near } }
- { name: lost, context: { cluster: gone, user: jane } }
- { name: orphan, context: { cluster: near, user: gone } }
- { name: empty, context: { user: jane } }
`;

async function chosen(options: LoadOptions): Promise<unknown> {
  const { server, namespace, identity } = await configFrom(
    await parseKubeconfig(several, { file: "/c" }),
    options,
  );
  const { headers } = await identity.current();
  return [server, namespace, headers.authorization];
}

test("context, cluster and user select entries, and the other entries may be invalid", async () => {
  expect(await chosen({})).toEqual(["https://near", "shop", "Bearer janes"]);
  expect(await chosen({ context: "prod" })).toEqual(["https://far", "default", "Bearer joes"]);
  expect(await chosen({ cluster: "far", user: "joe" })).toEqual(["https://far", "shop", "Bearer joes"]);
  expect(await chosen({ context: "anonymous" })).toEqual(["https://near", "default", undefined]);
});

test.each<[LoadOptions, string]>([
  [
    { context: "test" },
    'expected the context option to name a context of /c, got "test" (known: dev, prod, anonymous, lost, orphan, empty)',
  ],
  [
    { cluster: "x" },
    'expected the cluster option to name a cluster of /c, got "x" (known: near, far, broken)',
  ],
  [{ user: "x" }, 'expected the user option to name a user of /c, got "x" (known: jane, joe, old)'],
  [
    { context: "lost" },
    'expected contexts[3].context.cluster in /c:15 to name a cluster of /c, got "gone" (known: near, far, broken)',
  ],
  [
    { context: "orphan" },
    'expected contexts[4].context.user in /c:16 to name a user of /c, got "gone" (known: jane, joe, old)',
  ],
  [{ context: "empty" }, "expected contexts[5].context.cluster to name a cluster in /c:17, got none"],
  [{ cluster: "broken" }, "expected clusters[2].cluster.server to be a URL in /c:6, got none"],
])("an unknown name is an error that lists the known names: %j", async (options, message) => {
  await expect(chosen(options)).rejects.toThrow(message);
});

test("no current-context is an error that lists the contexts, unless a cluster or server is named", async () => {
  const kubeconfig = await parseKubeconfig(several.replace(/^current-context.*$/m, ""), { file: "/c" });
  await expect(configFrom(kubeconfig)).rejects.toThrow(
    "expected a current-context in /c, got none: set it with kubectl config use-context, or pass context (known: dev, prod, anonymous, lost, orphan, empty)",
  );
  expect((await configFrom(kubeconfig, { cluster: "far" })).server).toBe("https://far");
  expect((await configFrom(kubeconfig, { server: "https://other" })).server).toBe("https://other");
});

test("an unknown current-context is an error", async () => {
  await expect(configFrom(await parseKubeconfig("current-context: x", { file: "/c" }))).rejects.toThrow(
    'expected current-context in /c to name a context of /c, got "x" (it has no context)',
  );
});

test.each([
  [
    'proxy-url: "socks4://x"',
    "token: t",
    "expected clusters[0].cluster.proxy-url to be a URL that starts with http://, https:// or socks5:// in /c:3, got one that starts with socks4://",
  ],
  [
    "insecure-skip-tls-verify: true, certificate-authority-data: QUJD",
    "token: t",
    "expected clusters[0].cluster.insecure-skip-tls-verify to be false beside a certificate authority in /c:3, got true: remove one of the two",
  ],
  ["", "token: t, username: u", "expected users[0].user to have a token or a username in /c:4, got both"],
  ["", "tokenFile: t, password: p", "expected users[0].user to have a token or a username in /c:4, got both"],
  [
    "",
    "client-certificate-data: QUJD",
    "expected users[0].user.client-key to stand beside client-certificate in /c:4, got none",
  ],
  [
    "",
    "client-key-data: QUJD",
    "expected users[0].user.client-certificate to stand beside client-key in /c:4, got none",
  ],
  [
    "",
    "auth-provider: { name: gcp }",
    'expected users[0].user.auth-provider to be absent in /c:4, got "gcp": it was removed from Kubernetes in 1.26, use exec with gke-gcloud-auth-plugin instead',
  ],
  [
    "",
    "auth-provider: { name: own }",
    'expected users[0].user.auth-provider to be absent in /c:4, got "own": use exec with a credential plugin instead',
  ],
  [
    "",
    "token: t, as-groups: [a]",
    "expected users[0].user.as to name the user to act as in /c:4, got only other as- fields",
  ],
  [
    "",
    "exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never }",
    "expected users[0].user.exec.command to name a program in /c:4, got none",
  ],
  [
    "",
    "exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: a }",
    "expected users[0].user.exec.apiVersion to be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1 in /c:4, got client.authentication.k8s.io/v1alpha1",
  ],
  [
    "",
    "exec: { apiVersion: client.authentication.k8s.io/v1, command: a }",
    "expected users[0].user.exec.interactiveMode to be Never or IfAvailable or Always in /c:4, got none",
  ],
  [
    "",
    "exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: a, interactiveMode: Maybe }",
    "expected users[0].user.exec.interactiveMode to be Never or IfAvailable or Always in /c:4, got Maybe",
  ],
  [
    "",
    "exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: a, env: [{ value: x }] }",
    "expected users[0].user.exec.env to have a name in each entry in /c:4, got one without",
  ],
])("a selected entry is validated: { %s } { %s }", async (cluster, user, message) => {
  const kubeconfig = await parseKubeconfig(kubeconfigOf("dev", { cluster, user }), { file: "/c" });
  const error: unknown = await configFrom(kubeconfig).catch((thrown: unknown) => thrown);
  expect((error as Error).message).toBe(message);
});

test("all problems of the selected entries are one error", async () => {
  const kubeconfig = await parseKubeconfig(
    kubeconfigOf("dev", { cluster: "proxy-url: x", user: "token: t, username: u, client-key: k" }),
  );
  const error: unknown = await configFrom(kubeconfig).catch((thrown: unknown) => thrown);
  expect((error as ConfigError).problems).toHaveLength(3);
});

test("credentials are not sent to a server without TLS, and a warning is logged", async () => {
  const lines: string[] = [];
  const log = loggerTo(({ message }) => lines.push(message));
  const kubeconfig = await parseKubeconfig(kubeconfigOf("dev"));
  const config = await configFrom(kubeconfig, { server: "http://localhost:8001", log });
  expect(await config.identity.current()).toEqual({ headers: {}, tls: undefined });
  expect(lines).toEqual(["credentials are not sent to a server without TLS"]);
});

test("a configuration shows no secret when it is logged", async () => {
  const users = [
    "token: sesame",
    "username: jane, password: sesame",
    `client-certificate-data: ${base64(client.cert)}, client-key-data: ${base64(client.key)}`,
  ];
  for (const user of users) {
    const kubeconfig = await parseKubeconfig(
      kubeconfigOf("dev", { cluster: 'proxy-url: "http://jane:sesame@proxy:3128"', user }),
    );
    const config = await configFrom(kubeconfig);
    await config.identity.current();
    const printed = [JSON.stringify(config), inspect(config, { depth: 20, showHidden: true })].join();
    expect(printed).toContain("http://proxy:3128");
    expect(printed).not.toMatch(/sesame|PRIVATE KEY|c2VzYW1l|amFuZTpz/);
    expect(printed).not.toContain(base64(client.key).slice(0, 40));
  }
});
