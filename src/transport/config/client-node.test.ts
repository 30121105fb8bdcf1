import type { RequestOptions } from "node:https";
import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import { authority, client } from "../certificates.fixture.ts";
import {
  type ClientNodeCluster,
  type ClientNodeKubeConfig,
  type ClientNodeUser,
  fromClientNode,
} from "./client-node.ts";
import { tempFolder } from "./temp-folder.fixture.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Entries {
  readonly cluster?: Partial<ClientNodeCluster>;
  readonly user?: Partial<ClientNodeUser>;
  readonly namespace?: string;
  apply?(options: RequestOptions): void;
}

/** Returns an object with the interface of client-node's `KubeConfig`. */
function kubeConfigOf({ cluster, user, namespace, apply }: Entries): ClientNodeKubeConfig {
  return {
    getCurrentContext: () => "dev",
    getContextObject: () => ({ namespace }),
    getCurrentCluster: () => ({ name: "dev", server: "https://dev:6443", skipTLSVerify: false, ...cluster }),
    getCurrentUser: () => (user ? { name: "jane", ...user } : null),
    async applyToHTTPSOptions(options) {
      if (!apply) throw new Error("expected no call");
      apply(options);
    },
  };
}

test("the cluster, the context and a user with certificate and token are used", async () => {
  const { identity, ...config } = fromClientNode(
    kubeConfigOf({
      cluster: { caData: base64(authority), tlsServerName: "api", proxyUrl: "http://proxy:1" },
      user: {
        certData: base64(client.cert),
        keyData: base64(client.key),
        token: "sesame",
        impersonateUser: "boss",
      },
      namespace: "shop",
    }),
  );
  expect(config).toEqual({
    server: "https://dev:6443",
    namespace: "shop",
    proxyUrl: "http://proxy:1",
    impersonate: { user: "boss" },
    origin: "client-node KubeConfig, context dev",
    proxyOrigin: "cluster.proxy-url in the client-node KubeConfig",
  });
  expect(await identity.current()).toEqual({
    headers: { authorization: "Bearer sesame" },
    tls: { ca: authority, ...client, serverName: "api", insecure: false },
  });
});

test("certificate files and a password are used", async () => {
  await using folder = await tempFolder();
  const { identity, namespace } = fromClientNode(
    kubeConfigOf({
      cluster: { caFile: await folder.write("ca.crt", authority) },
      user: {
        certFile: await folder.write("jane.crt", client.cert),
        keyFile: await folder.write("jane.key", client.key),
        username: "jane",
        password: "sesame",
      },
    }),
  );
  expect(namespace).toBe("default");
  expect(await identity.current()).toEqual({
    headers: { authorization: `Basic ${base64("jane:sesame")}` },
    tls: { ca: authority, ...client, insecure: false },
  });
});

test("the token file of loadFromCluster() is reloaded", async () => {
  await using folder = await tempFolder();
  const clock = new VirtualClock();
  const tokenFile = await folder.write("token", "one");
  const { identity } = fromClientNode(
    kubeConfigOf({ user: { authProvider: { name: "tokenFile", config: { tokenFile } } } }),
    { clock },
  );
  expect((await identity.current()).headers).toEqual({ authorization: "Bearer one" });
  await folder.write("token", "two");
  await clock.advance(50_000);
  expect((await identity.current()).headers).toEqual({ authorization: "Bearer two" });
});

test("the plugin of an exec user is run by this package", async () => {
  await using folder = await tempFolder();
  const apiVersion = "client.authentication.k8s.io/v1beta1";
  const reply = JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token: "plugged" } });
  const script = await folder.write("plugin.cjs", `console.log(${JSON.stringify(reply)})`);
  const exec = { apiVersion, command: process.execPath, args: [script], interactiveMode: "Never" };
  const { identity } = fromClientNode(kubeConfigOf({ user: { exec } }), { clock: new VirtualClock() });
  expect((await identity.current()).headers).toEqual({ authorization: "Bearer plugged" });
});

test("other users' credentials are requested every 10 seconds, and after a refusal", async () => {
  const clock = new VirtualClock();
  let requests = 0;
  const kubeConfig = kubeConfigOf({
    user: { authProvider: { name: "oidc", config: { "client-id": "x" } }, impersonateUser: "boss" },
    apply(options) {
      requests += 1;
      options.headers = { Authorization: `Bearer ${requests}`, "Impersonate-User": "boss" };
      options.ca = Buffer.from(authority);
      options.rejectUnauthorized = false;
    },
  });
  const { identity, impersonate } = fromClientNode(kubeConfig, { clock });

  const first = await identity.current();
  expect(first).toEqual({ headers: { authorization: "Bearer 1" }, tls: { ca: authority, insecure: true } });
  expect(impersonate).toEqual({ user: "boss" });
  await clock.advance(9_999);
  expect(identity.current()).toBe(first);
  await clock.advance(1);
  const second = await identity.current();
  expect(second.headers).toEqual({ authorization: "Bearer 2" });
  expect(second.tls).toBe(first.tls);
  expect(identity.refused(second)).toBe(true);
  expect((await identity.current()).headers).toEqual({ authorization: "Bearer 3" });
});

test("no credentials are requested for a server without TLS", async () => {
  const { identity, server } = fromClientNode(
    kubeConfigOf({ cluster: { server: "http://localhost:8001" }, user: {} }),
  );
  expect(server).toBe("http://localhost:8001");
  expect(await identity.current()).toEqual({ headers: {}, tls: undefined });
});

test("a missing cluster or a value of the wrong type is an error that names client-node", () => {
  const empty = { ...kubeConfigOf({}), getCurrentCluster: () => null };
  expect(() => fromClientNode(empty)).toThrow(
    'expected a cluster in the current context of the client-node KubeConfig, got none in "dev"',
  );
  const wrong = kubeConfigOf({ user: { exec: { command: 7 } } });
  expect(() => fromClientNode(wrong)).toThrow(
    "expected user.exec.command to be a string in the client-node KubeConfig, got 7",
  );
});

test("the configuration shows no secret when it is logged", async () => {
  const config = fromClientNode(
    kubeConfigOf({
      user: {},
      apply(options) {
        options.headers = { Authorization: "Bearer sesame" };
      },
    }),
  );
  await config.identity.current();
  expect(JSON.stringify(config)).not.toContain("sesame");
});
