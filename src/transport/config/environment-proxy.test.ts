import { join } from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { httpTransport } from "../http/http-transport.ts";
import { connectProxy } from "../http/proxies.fixture.ts";
import { elsewhereServer, serversAuthority } from "../http/servers.fixture.ts";
import { gate, httpServer, reply } from "../local-server.fixture.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { environmentProxy } from "./environment-proxy.ts";
import type { Environment } from "./exec-plugin.ts";
import { loadConfig } from "./load-config.ts";
import { kubeconfigOf } from "./one-context.fixture.ts";
import { type TempFolder, tempFolder } from "./temp-folder.fixture.ts";

const secure = "https://api.example.com:6443";
const plain = "http://api.example.com:8080";

test.each<[string, Environment, string | undefined]>([
  [secure, {}, undefined],
  [secure, { HTTPS_PROXY: "http://one:3128" }, "http://one:3128"],
  [secure, { https_proxy: "http://one:3128" }, "http://one:3128"],
  [secure, { HTTPS_PROXY: "http://one:3128", https_proxy: "http://two:3128" }, "http://one:3128"],
  [secure, { HTTPS_PROXY: "", https_proxy: "http://two:3128" }, "http://two:3128"],
  [secure, { HTTP_PROXY: "http://one:3128", ALL_PROXY: "http://two:3128" }, undefined],
  [plain, { HTTPS_PROXY: "http://one:3128" }, undefined],
  [plain, { HTTP_PROXY: "http://one:3128" }, "http://one:3128"],
  [plain, { http_proxy: "http://one:3128" }, "http://one:3128"],
  [secure, { HTTPS_PROXY: "https://one" }, "https://one"],
  [secure, { HTTPS_PROXY: "socks5://one:1080" }, "socks5://one:1080"],
  [secure, { HTTPS_PROXY: "socks5h://jane:secret@one" }, "socks5://jane:secret@one"],
  [secure, { HTTPS_PROXY: "one:3128" }, "http://one:3128"],
  [secure, { HTTPS_PROXY: "10.0.0.9:3128" }, "http://10.0.0.9:3128"],
  [secure, { HTTPS_PROXY: "jane:secret@one:3128" }, "http://jane:secret@one:3128"],
  [secure, { HTTPS_PROXY: "one", NO_PROXY: "example.com" }, undefined],
  [secure, { HTTPS_PROXY: "one", no_proxy: "example.com" }, undefined],
  [secure, { HTTPS_PROXY: "one", NO_PROXY: "other.org", no_proxy: "example.com" }, "http://one"],
  ["https://127.0.0.1:6443", { HTTPS_PROXY: "http://one:3128" }, undefined],
  [secure, { HTTPS_PROXY: "http://one:3128", REQUEST_METHOD: "GET" }, "http://one:3128"],
  ["http://localhost:8080", { HTTP_PROXY: "http://one:3128", REQUEST_METHOD: "GET" }, undefined],
])("the proxy to %s with %j is %s", (server, env, proxy) => {
  expect(environmentProxy(server, env)?.url).toBe(proxy);
});

test.each<[string, Environment, string]>([
  [
    secure,
    { https_proxy: "ftp://jane:secret@one" },
    "expected https_proxy to be a URL that starts with http://, https:// or socks5://, got one that starts with ftp://: " +
      "correct it, unset it, or add api.example.com to NO_PROXY",
  ],
  [
    secure,
    { HTTPS_PROXY: "http://jane:50%@one" },
    "expected HTTPS_PROXY to have a user and a password in which a percent sign is written as %25, got another percent sign: " +
      "correct it, unset it, or add api.example.com to NO_PROXY",
  ],
  [
    secure,
    { HTTPS_PROXY: "http://" },
    "expected HTTPS_PROXY to be a URL that starts with http://, https:// or socks5://, got something else: " +
      "correct it, unset it, or add api.example.com to NO_PROXY",
  ],
  [
    plain,
    { HTTP_PROXY: "http://one", REQUEST_METHOD: "POST" },
    "expected HTTP_PROXY to be unset in a CGI program, where an HTTP request can set it, got one beside REQUEST_METHOD: " +
      "unset it, or use the proxyUrl option",
  ],
])("the proxy to %s with %j is refused", (server, env, message) => {
  expect(() => environmentProxy(server, env)).toThrow(message);
});

/** Returns the configuration for `server`, whose certificate is for elsewhere.example. */
async function configIn(folder: TempFolder, server: string, env: Environment): Promise<ClusterConfig> {
  const ca = await folder.write("ca.pem", serversAuthority);
  const text = kubeconfigOf("dev").replace(/https:\/\/dev:6443/, server);
  const kubeconfig = await folder.write("config", text);
  return loadConfig({ kubeconfig, certificateAuthority: ca, env, homeDir: folder.path });
}

test("requests and watches go through the proxy of the environment", async () => {
  await using folder = await tempFolder();
  const server = await httpServer((request, response) => reply(response, request.url), elsewhereServer);
  const proxy = await connectProxy();
  const url = `https://elsewhere.example:${server.port}`;
  const config = await configIn(folder, url, { HTTPS_PROXY: `http://jane:secret@${proxy.host}` });
  const transport = httpTransport(config);
  onTestFinished(() => transport.close());
  const { body } = await transport.send({ method: "GET", path: "/list" });
  const watched = gate<string>();
  const opened = await transport.open({ method: "GET", path: "/watch" });
  opened.receive({ onChunk: (chunk) => watched.pass(chunk.toString()), onEnd() {}, onError() {} });
  expect([body.toString(), await watched.passed]).toEqual(['"/list"', '"/watch"']);
  const requests = `elsewhere.example:${server.port} as jane:secret`;
  expect(proxy.requests).toEqual([requests, requests]);
});

test("the error of a proxy from the environment names its variable, without its password", async () => {
  await using folder = await tempFolder();
  const { host } = await connectProxy(407);
  const config = await configIn(folder, "https://elsewhere.example:6443", {
    https_proxy: `http://jane:secret@${host}`,
  });
  const transport = httpTransport(config);
  onTestFinished(() => transport.close());
  await expect(transport.send({ method: "GET", path: "/api" })).rejects.toThrow(
    "expected a response to GET /api from https://elsewhere.example:6443, got PROXY_REFUSED (407 Proxy Authentication " +
      `Required to CONNECT elsewhere.example:6443 via the proxy http://${host}): check https_proxy and NO_PROXY ` +
      "(server from ~/config, context dev)",
  );
  expect(`${inspect(config)} ${JSON.stringify(config)}`).not.toContain("secret");
});

test("the proxy of a kubeconfig takes precedence over the environment's, and its error names its location", async () => {
  await using folder = await tempFolder();
  const text = kubeconfigOf("dev").replace(/(server: [^,}]*)/, '$1, proxy-url: "http://own:3128"');
  const kubeconfig = await folder.write("config", text);
  const common = { kubeconfig, homeDir: folder.path, env: { HTTPS_PROXY: "http://env:3128" } };
  const found = await Promise.all([
    loadConfig(common),
    loadConfig({ ...common, proxyUrl: "http://option:1" }),
  ]);
  expect(found.map(({ proxyUrl, proxyOrigin }) => [proxyUrl, proxyOrigin])).toEqual([
    ["http://own:3128", expect.stringMatching(/^clusters\[0\]\.cluster\.proxy-url in ~\/config:\d+$/)],
    ["http://option:1", "the proxyUrl option"],
  ]);
});

test("a Pod uses the proxy of the environment, as with client-go", async () => {
  await using folder = await tempFolder();
  await folder.write("account/token", "pod-token");
  await folder.write("account/ca.crt", serversAuthority);
  const env = {
    KUBERNETES_SERVICE_HOST: "10.96.0.1",
    KUBERNETES_SERVICE_PORT: "443",
    HTTPS_PROXY: "http://one:3128",
  };
  const options = { homeDir: folder.path, serviceAccountDir: join(folder.path, "account") };
  const found = await Promise.all([
    loadConfig({ ...options, env }),
    loadConfig({ ...options, env: { ...env, NO_PROXY: "10.96.0.0/12" } }),
  ]);
  expect(found.map(({ proxyUrl }) => proxyUrl)).toEqual(["http://one:3128", undefined]);
});
