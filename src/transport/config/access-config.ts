import { type Access, type AccessSettings, serverOf } from "./access.ts";
import { accessProblems } from "./access-problems.ts";
import type { ClusterConfig, Identity, Impersonation } from "./cluster-config.ts";
import { ConfigError, throwIfAny } from "./config-error.ts";
import { credentialSource } from "./credential-source.ts";
import { environmentProxy, type ProxySetting } from "./environment-proxy.ts";
import { CombinedIdentity } from "./identity.ts";
import type { KubeconfigUser } from "./kubeconfig.ts";
import { printableConfig } from "./printable-config.ts";
import { type CertificatePair, certificateAuthority, certificatePair } from "./tls-files.ts";

export interface AccessConfig {
  readonly config: ClusterConfig;
  /**
   * Reads the files that the configuration names, to fail early if one is missing or invalid. Runs no credential
   * plugins.
   */
  readFiles(): Promise<void>;
}

/**
 * Returns the configuration of a transport for a selected cluster and user. Throws one `ConfigError` for all problems.
 */
export function accessConfig(access: Access, settings: AccessSettings): AccessConfig {
  throwIfAny(accessProblems(access));
  const server = serverUrl(access);
  const { identity, readFiles } = server.startsWith("https:")
    ? tlsIdentity(access, settings)
    : plainIdentity(access, settings);
  const { namespace, origin } = access;
  const proxy = proxyOf(access, server, settings);
  const impersonate = impersonationOf(access.user);
  return {
    config: printableConfig({
      server,
      namespace,
      identity,
      impersonate,
      proxyUrl: proxy?.url,
      proxyOrigin: proxy?.origin,
      disableCompression: access.cluster.disableCompression,
      origin,
    }),
    readFiles,
  };
}

function serverUrl(access: Access): string {
  const server = serverOf(access);
  if (server.type === "url") return server.url;
  throw new ConfigError(access.cluster.place.problem("server", server.expected, server.got));
}

/** Returns the proxy for the server. The kubeconfig and the options take precedence over the environment. */
function proxyOf(
  { cluster }: Access,
  server: string,
  { env }: Pick<AccessSettings, "env">,
): ProxySetting | undefined {
  if (cluster.proxyUrl === undefined) return environmentProxy(server, env);
  return { url: cluster.proxyUrl, origin: cluster.place.describe("proxy-url") };
}

interface OpenIdentity {
  readonly identity: Identity;
  readFiles(): Promise<void>;
}

function tlsIdentity(access: Access, settings: AccessSettings): OpenIdentity {
  const { cluster, user } = access;
  const ca = certificateAuthority(cluster.certificateAuthority, settings);
  const certificate = certificatePair(pairOf(user), settings);
  const { description, credential, inFile } = credentialSource(access, { ...settings, ca });
  const { tlsServerName: serverName, insecureSkipTlsVerify: insecure } = cluster;
  return {
    identity: new CombinedIdentity({ description, ca, certificate, credential, serverName, insecure }),
    async readFiles() {
      await Promise.all([ca.current(), certificate.current(), inFile && credential.current()]);
    },
  };
}

/**
 * Returns an identity without credentials, for an `http:` server. As in kubectl, no credential is sent without TLS,
 * because it could be read on the network. Such servers are local proxies that authenticate on their own, and servers
 * for tests.
 */
function plainIdentity({ user }: Access, { log }: AccessSettings): OpenIdentity {
  const auth = { headers: {}, tls: undefined };
  if (user?.token !== undefined || user?.tokenFile !== undefined || user?.username !== undefined) {
    log.warn("credentials are not sent to a server without TLS", { user: user.place.describe("") });
  }
  const identity = { current: () => auth, refused: () => false };
  return { identity, readFiles: () => Promise.resolve() };
}

function pairOf(user: KubeconfigUser | undefined): CertificatePair | undefined {
  if (!user?.clientCertificate || !user.clientKey) return undefined;
  return { cert: user.clientCertificate, key: user.clientKey };
}

function impersonationOf(user: KubeconfigUser | undefined): Impersonation | undefined {
  if (user?.as === undefined) return undefined;
  return { user: user.as, groups: user.asGroups, uid: user.asUid, extra: user.asUserExtra };
}
