import { type Clock, type Logger, realClock, silentLogger } from "../../base/index.ts";
import type { Access } from "./access.ts";
import { accessConfig } from "./access-config.ts";
import { ClientNodeIdentity, type HttpsOptionsSource } from "./client-node-identity.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { ConfigError } from "./config-error.ts";
import { ConfigField } from "./config-field.ts";
import type { Environment } from "./exec-plugin.ts";
import { readExec } from "./exec-section.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import type { PemSource } from "./pem-source.ts";
import { printableConfig } from "./printable-config.ts";

/** The part of `KubeConfig` of @kubernetes/client-node (1 and 2) that `fromClientNode` uses. */
export interface ClientNodeKubeConfig extends HttpsOptionsSource {
  getCurrentContext(): string;
  getContextObject(name: string): { readonly namespace?: string | undefined } | null;
  getCurrentCluster(): ClientNodeCluster | null;
  getCurrentUser(): ClientNodeUser | null;
}

export interface ClientNodeCluster {
  readonly name: string;
  readonly server: string;
  readonly caData?: string | undefined;
  readonly caFile?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly skipTLSVerify?: boolean | undefined;
  readonly proxyUrl?: string | undefined;
}

export interface ClientNodeUser {
  readonly name: string;
  readonly certData?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyData?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: unknown;
  readonly authProvider?: unknown;
  readonly impersonateUser?: string | undefined;
}

export interface ClientNodeOptions {
  /**
   * The environment that credential plugins inherit, with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. @default `process.env`
   */
  readonly env?: Environment | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Logger | undefined;
}

/**
 * Returns the configuration of the current context of a client-node `KubeConfig`. A later `setCurrentContext` has no
 * effect on it. Tokens, certificates, passwords, token files and exec plugins are handled here. For any other user
 * (OpenID Connect, custom authenticators), `applyToHTTPSOptions` of the `KubeConfig` provides the credentials.
 */
export function fromClientNode(
  kubeConfig: ClientNodeKubeConfig,
  { env = process.env, clock = realClock, log = silentLogger }: ClientNodeOptions = {},
): ClusterConfig {
  const settings = { env, clock, log };
  const { config } = accessConfig(accessOf(kubeConfig), settings);
  const user = kubeConfig.getCurrentUser();
  if (!user || config.server.startsWith("http:") || hasCredentials(readUser(user))) return config;
  const identity = new ClientNodeIdentity({ ...settings, source: kubeConfig, user: user.name });
  return printableConfig({ ...config, identity });
}

function accessOf(kubeConfig: ClientNodeKubeConfig): Access {
  const context = kubeConfig.getCurrentContext();
  const cluster = kubeConfig.getCurrentCluster();
  const user = kubeConfig.getCurrentUser();
  if (!cluster) {
    throw new ConfigError(
      `expected a cluster in the current context of the client-node KubeConfig, got none in "${context}"`,
    );
  }
  return {
    cluster: readCluster(cluster),
    user: user ? readUser(user) : undefined,
    namespace: kubeConfig.getContextObject(context)?.namespace || "default",
    origin: `client-node KubeConfig, context ${context}`,
  };
}

function hasCredentials({ token, tokenFile, clientCertificate, exec, username }: KubeconfigUser): boolean {
  return [token, tokenFile, clientCertificate, exec, username].some((method) => method !== undefined);
}

function readCluster(cluster: ClientNodeCluster): KubeconfigCluster {
  const field = fieldOf(cluster, "cluster");
  return {
    place: field,
    server: field.at("server").text({ as: "a URL" }),
    certificateAuthority: readPemSource(field, "ca"),
    insecureSkipTlsVerify: field.at("skipTLSVerify").flag(),
    tlsServerName: field.at("tlsServerName").text(),
    proxyUrl: field.at("proxyUrl").text({ as: "a URL" }),
  };
}

function readUser(user: ClientNodeUser): KubeconfigUser {
  const field = fieldOf(user, "user");
  const provider = field.at("authProvider").at("config");
  const exec = [field.at("exec"), provider.at("exec")].find(({ present }) => present);
  return {
    place: field,
    clientCertificate: readPemSource(field, "cert"),
    clientKey: readPemSource(field, "key"),
    token: field.at("token").text({ secret: true }),
    tokenFile: provider.at("tokenFile").text({ as: "a path" }),
    username: field.at("username").text(),
    password: field.at("password").text({ secret: true }),
    exec: exec && readExec(exec, undefined),
    as: field.at("impersonateUser").text(),
  };
}

function fieldOf(value: unknown, name: string): ConfigField {
  return new ConfigField(value, { name: "the client-node KubeConfig", lineOf: () => undefined }, [name]);
}

/** Reads a certificate or key from client-node's fields, such as `certData` (base64) and `certFile`. */
function readPemSource(place: ConfigField, name: string): PemSource | undefined {
  const base64 = place.at(`${name}Data`).text({ as: "base64", secret: true });
  const file = place.at(`${name}File`).text({ as: "a path" });
  if (base64 !== undefined) return { place, field: `${name}Data`, content: { type: "base64", base64 } };
  return file === undefined ? undefined : { place, field: `${name}File`, content: { type: "file", file } };
}
