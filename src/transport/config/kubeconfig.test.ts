import { resolve } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { type Kubeconfig, parseKubeconfig } from "./kubeconfig.ts";

const file = resolve("/home/jane/.kube/config");
const parse = (text: string): Promise<Kubeconfig> => parseKubeconfig(text, { file, homeDir: "/home/jane" });

async function messageOf(text: string): Promise<string> {
  const error: unknown = await parse(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

const everything = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: near
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority: pki/ca.crt
    tls-server-name: api.example.dev
    proxy-url: socks5://proxy:1080
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: { audience: near }
- name: careless
  cluster: { server: "https://10.0.0.2", insecure-skip-tls-verify: true, certificate-authority-data: QUJD }
users:
- name: jane
  user:
    client-certificate: jane.crt
    client-key-data: QUJD
    tokenFile: ../token
    as: boss
    as-uid: u-1
    as-groups: [admins, all]
    as-user-extra: { reason: [testing] }
- name: plugged
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--cluster, near]
      env: [{ name: REGION, value: eu }]
      interactiveMode: Never
      installHint: get it
      provideClusterInfo: true
- name: password
  user: { username: jane, password: sesame }
contexts:
- name: dev
  context: { cluster: near, user: jane, namespace: shop }
`;

test("all fields are read, with paths relative to the file's folder", async () => {
  const { currentContext, clusters, users, contexts } = await parse(everything);

  expect(currentContext).toBe("dev");
  expect(contexts.get("dev")).toMatchObject({ cluster: "near", user: "jane", namespace: "shop" });
  expect(clusters.get("near")).toMatchObject({
    server: "https://10.0.0.1:6443",
    certificateAuthority: { content: { type: "file", file: resolve("/home/jane/.kube/pki/ca.crt") } },
    insecureSkipTlsVerify: false,
    tlsServerName: "api.example.dev",
    proxyUrl: "socks5://proxy:1080",
    execConfig: { audience: "near" },
  });
  expect(users.get("jane")).toMatchObject({
    clientCertificate: { content: { type: "file", file: resolve("/home/jane/.kube/jane.crt") } },
    clientKey: { content: { type: "base64", base64: "QUJD" } },
    tokenFile: resolve("/home/jane/token"),
    as: "boss",
    asUid: "u-1",
    asGroups: ["admins", "all"],
    asUserExtra: { reason: ["testing"] },
  });
  expect(users.get("plugged")?.exec).toMatchObject({
    apiVersion: "client.authentication.k8s.io/v1",
    command: resolve("/home/jane/.kube/bin/login"),
    args: ["--cluster", "near"],
    env: [{ name: "REGION", value: "eu" }],
    installHint: "get it",
    interactiveMode: "Never",
    provideClusterInfo: true,
  });
  expect(users.get("password")).toMatchObject({ username: "jane", password: "sesame" });
  expect(clusters.get("careless")).toMatchObject({ insecureSkipTlsVerify: true });
});

test("a plugin without a path separator is found on PATH", async () => {
  const { users } = await parse("users: [{ name: a, user: { exec: { command: aws } } }]");
  expect(users.get("a")?.exec?.command).toBe("aws");
});

test("the data form takes precedence over the file form", async () => {
  const { clusters } = await parse(
    "clusters: [{ name: a, cluster: { certificate-authority: ca.crt, certificate-authority-data: QUJD } }]",
  );
  expect(clusters.get("a")?.certificateAuthority).toMatchObject({
    field: "certificate-authority-data",
    content: { type: "base64", base64: "QUJD" },
  });
});

test("JSON is read, with or without tabs", async () => {
  const value = { "current-context": "dev", contexts: [{ name: "dev", context: { cluster: "near" } }] };
  for (const indent of ["", "\t"]) {
    const { currentContext, contexts } = await parse(JSON.stringify(value, null, indent));
    expect([currentContext, contexts.get("dev")?.cluster]).toEqual(["dev", "near"]);
  }
});

test("aliases and merge keys are resolved", async () => {
  const { users } = await parse(
    "x: &jane { token: sesame }\nusers:\n- name: a\n  user: { <<: *jane, as: boss }",
  );
  expect(users.get("a")).toMatchObject({ token: "sesame", as: "boss" });
});

test.each(["", "# nothing yet\n", "clusters: []\nusers: null\ncontexts:\n"])(
  "a kubeconfig without entries is valid: %j",
  async (text) => {
    const { clusters, users, contexts, currentContext } = await parse(text);
    expect([clusters.size, users.size, contexts.size, currentContext]).toEqual([0, 0, 0, undefined]);
  },
);

test.each([
  [
    "clusters:\n- name: a\n  cluster:\n    server: 42\n",
    "expected clusters[0].cluster.server to be a URL in ~/.kube/config:4, got 42",
  ],
  [
    '{"clusters":\n[{"name": "a", "cluster": {"server": 42}}]}',
    "expected clusters[0].cluster.server to be a URL in ~/.kube/config:2, got 42",
  ],
  ["clusters: 7", "expected clusters to be a list in ~/.kube/config:1, got 7"],
  ["users:\n- jane\n", "expected users[0] to be a map in ~/.kube/config:2, got a string"],
  ["[1, 2]", "expected the content to be a map in ~/.kube/config, got a list"],
  [
    "clusters:\n- name: a\n  cluster: { insecure-skip-tls-verify: sure }",
    'expected clusters[0].cluster.insecure-skip-tls-verify to be true or false in ~/.kube/config:3, got "sure"',
  ],
  [
    "users:\n- name: a\n  user:\n    exec:\n      args: [1]\n",
    "expected users[0].user.exec.args[0] to be a string in ~/.kube/config:5, got 1",
  ],
  ["kind: Pod", "expected kind to be Config in ~/.kube/config:1, got Pod"],
  ["apiVersion: v2", "expected apiVersion to be v1 in ~/.kube/config:1, got v2"],
])("a wrong value is an error with file, line and path: %j", async (text, message) => {
  expect(await messageOf(text)).toBe(message);
});

test("a secret of the wrong type is not quoted in the error", async () => {
  expect(await messageOf("users: [{ name: a, user: { token: 12345 } }]")).toBe(
    "expected users[0].user.token to be a string in ~/.kube/config:1, got a number",
  );
});

test.each([
  ["clusters", "cluster"],
  ["users", "user"],
  ["contexts", "context"],
])("a name used twice in %s is an error", async (list, kind) => {
  expect(await messageOf(`${list}:\n- name: a\n- name: b\n- name: a\n`)).toBe(
    `expected ${list}[2].name to name one ${kind} in ~/.kube/config:4, got "a" twice`,
  );
});

test("an extension named twice is an error", async () => {
  const text = "clusters: [{ name: a, cluster: { extensions: [{ name: e }, { name: e }] } }]";
  expect(await messageOf(text)).toContain(
    'extensions[1].name to name one extension in ~/.kube/config:1, got "e" twice',
  );
});

test("text that is neither YAML nor JSON is an error with line and column", async () => {
  expect(await messageOf("clusters:\n- name: a: b\n")).toMatch(
    /^expected YAML or JSON in ~\/\.kube\/config, got an error at 2:9: /,
  );
});

test("a kubeconfig without a file resolves paths from the working directory and has a name in errors", async () => {
  const { users } = await parseKubeconfig("users: [{ name: a, user: { tokenFile: t } }]");
  expect(users.get("a")?.tokenFile).toBe(resolve("t"));
  await expect(parseKubeconfig("users: 1")).rejects.toThrow(
    "expected users to be a list in the kubeconfig:1, got 1",
  );
});

test.each([
  [
    "users:\n- name: a\n  user: { password: *sesame }\n",
    "expected an anchor for the alias in ~/.kube/config:3, got none: put quotes around a value that begins with *",
  ],
  [
    "users:\n- name: a\n  user: sesame\n",
    "expected users[0].user to be a map in ~/.kube/config:3, got a string",
  ],
  ["'{ token: sesame }'", "expected the content to be a map in ~/.kube/config, got a string"],
  [
    "x: &x [sesame]\nusers:\n- name: a\n  user: { <<: *x }\n",
    "expected YAML or JSON in ~/.kube/config, got aliases or merge keys (<<) that cannot be resolved: write the values out",
  ],
  [
    "users:\n- name: a\n  user:\n    password: |sesame\n",
    "expected YAML or JSON in ~/.kube/config, got an error at 4:16: unexpected character: put quotes around a value that begins with | or >",
  ],
  [
    "users:\n- name: a\n  user:\n    password: !<sesame x\n",
    "expected YAML or JSON in ~/.kube/config, got an error at 4:15: unknown tag: put quotes around a value that begins with !",
  ],
  [
    '{"apiVersion":"v1","clusters":[{"name":"a","cluster":{"insecure-skip-tls-verify":true@"proxy-url":"http://jane:sesame@proxy"}}]}',
    "expected clusters[0].cluster.insecure-skip-tls-verify to be true or false in ~/.kube/config:1, got a string",
  ],
])("a secret in the wrong place is not quoted in the error: %j", async (text, message) => {
  const error: unknown = await parse(text).catch((thrown: unknown) => thrown);
  expect(error).toEqual(new ConfigError(message));
  expect(inspect(error)).not.toContain("sesame");
});
