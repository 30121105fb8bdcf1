import { expect, test } from "vitest";
import { authority, client } from "../certificates.fixture.ts";
import { configFrom } from "./find-config.ts";
import { parseKubeconfig } from "./kubeconfig.ts";
import type { LoadOptions } from "./load-options.ts";
import { base64, kubeconfigOf } from "./one-context.fixture.ts";
import { tempFolder } from "./temp-folder.fixture.ts";

async function overridden(cluster: string, options: LoadOptions): Promise<unknown> {
  const config = await configFrom(await parseKubeconfig(kubeconfigOf("dev", { cluster })), options);
  const { tls } = await config.identity.current();
  return { server: config.server, ...JSON.parse(JSON.stringify(tls)) };
}

test("a server option removes the kubeconfig's tls-server-name", async () => {
  const cluster = "tls-server-name: api";
  expect(await overridden(cluster, {})).toEqual({
    server: "https://dev:6443",
    serverName: "api",
    insecure: false,
  });
  expect(await overridden(cluster, { server: "https://x" })).toEqual({
    server: "https://x",
    insecure: false,
  });
  expect(await overridden(cluster, { server: "https://x", tlsServerName: "y" })).toEqual({
    server: "https://x",
    serverName: "y",
    insecure: false,
  });
});

test("insecureSkipTlsVerify removes the certificate authority, and certificateAuthority enables the check", async () => {
  await using folder = await tempFolder();
  const file = await folder.write("ca.crt", authority);
  const data = `certificate-authority-data: ${base64(authority)}`;
  const server = "https://dev:6443";

  expect(await overridden(data, {})).toEqual({ server, ca: authority, insecure: false });
  expect(await overridden(data, { insecureSkipTlsVerify: true })).toEqual({ server, insecure: true });
  expect(await overridden("insecure-skip-tls-verify: true", { certificateAuthority: file })).toEqual({
    server,
    ca: authority,
    insecure: false,
  });
  expect(
    await overridden("certificate-authority-data: bm9uc2Vuc2U=", { certificateAuthority: file }),
  ).toEqual({ server, ca: authority, insecure: false });
  await expect(overridden("", { insecureSkipTlsVerify: true, certificateAuthority: file })).rejects.toThrow(
    "expected insecureSkipTlsVerify or certificateAuthority as an option, got both",
  );
});

test("a token option replaces all other credentials", async () => {
  const user = `client-certificate-data: ${base64(client.cert)}, client-key-data: ${base64(client.key)}, as: boss`;
  const config = await configFrom(await parseKubeconfig(kubeconfigOf("dev", { user })), { token: "given" });
  const { headers, tls } = await config.identity.current();
  expect({ headers, cert: tls?.cert, impersonate: config.impersonate?.user }).toEqual({
    headers: { authorization: "Bearer given" },
    cert: undefined,
    impersonate: "boss",
  });
});

test("namespace, proxy and impersonation options take precedence over the kubeconfig", async () => {
  const kubeconfig = await parseKubeconfig(
    kubeconfigOf("dev", {
      cluster: 'proxy-url: "http://old:1"',
      user: "token: t, as: old, as-groups: [old]",
      context: "namespace: old",
    }),
  );
  const before = await configFrom(kubeconfig);
  const after = await configFrom(kubeconfig, {
    namespace: "ns/new",
    proxyUrl: "socks5://new:1080",
    impersonate: { user: "new", uid: "1" },
  });
  expect(
    [before, after].map(({ namespace, proxyUrl, impersonate }) => ({ namespace, proxyUrl, impersonate })),
  ).toEqual([
    { namespace: "old", proxyUrl: "http://old:1", impersonate: { user: "old", groups: ["old"] } },
    { namespace: "new", proxyUrl: "socks5://new:1080", impersonate: { user: "new", uid: "1" } },
  ]);
});

test.each<[string, LoadOptions]>([
  [
    "expected the proxyUrl option to be a URL that starts with http://, https:// or socks5://, got one that starts with ftp://",
    { proxyUrl: "ftp://user:secret@x" },
  ],
  ['expected the server option to be an http or https URL, got "https://"', { server: "https://" }],
  [
    "expected the server option to be an http or https URL without a user, got one with a user",
    { server: "https://a:b@c" },
  ],
  [
    "expected a user to act as beside groups, got none in the impersonate option",
    { impersonate: { user: "", groups: ["a"] } },
  ],
  [
    "expected the certificateAuthority option to name a readable file, got ENOENT for /no/ca",
    { certificateAuthority: "/no/ca" },
  ],
])("%s", async (message, options) => {
  const kubeconfig = await parseKubeconfig(kubeconfigOf("dev"));
  const error: unknown = await configFrom(kubeconfig, options).catch((thrown: unknown) => thrown);
  expect((error as Error).message).toBe(message);
});
