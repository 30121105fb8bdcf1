import { type Access, type AccessSettings, serverOf } from "./access.ts";
import { basic, bearer, type Credential, noCredential } from "./credential.ts";
import type { ExecCluster } from "./exec-credential.ts";
import type { ExecSection } from "./exec-section.ts";
import { constant, type Reloadable } from "./reloadable.ts";
import { sharedPlugin } from "./shared-plugins.ts";
import { tokenFile } from "./token-file.ts";

export interface CredentialSource {
  /** For logs: "token file /var/run/token". */
  readonly description: string;
  readonly credential: Reloadable<Credential>;
  /** True if the credential is in a file, which can be checked before the first request. */
  readonly inFile?: boolean | undefined;
}

export interface CredentialSourceOptions extends AccessSettings {
  /** The cluster's certificate authority, which credential plugins may receive. */
  readonly ca: Reloadable<string | undefined>;
}

/**
 * Returns the credential of the selected user. As in kubectl, a credential plugin runs only for a user without a token,
 * a password and a certificate.
 */
export function credentialSource(access: Access, options: CredentialSourceOptions): CredentialSource {
  const {
    token,
    tokenFile: file,
    username,
    password,
    clientCertificate,
    exec,
    place,
  } = access.user ?? anonymous;
  if (file !== undefined && place) {
    const credential = tokenFile({ ...options, file, place, token });
    return { description: `token file ${file}`, credential, inFile: true };
  }
  if (token !== undefined) return { description: "token", credential: constant(bearer(token)) };
  if (username !== undefined || password !== undefined) {
    return { description: "password", credential: constant(basic(username ?? "", password ?? "")) };
  }
  if (clientCertificate) return { description: "client certificate", credential: constant(noCredential) };
  if (exec) return pluginSource(exec, access, options);
  return { description: "anonymous", credential: constant(noCredential) };
}

const anonymous: Partial<NonNullable<Access["user"]>> = {};

function pluginSource(
  section: ExecSection,
  access: Access,
  options: CredentialSourceOptions,
): CredentialSource {
  const { place: _, ...clusterKey } = access.cluster;
  const credential = sharedPlugin({
    ...options,
    section,
    clusterKey: { ...clusterKey, certificateAuthority: clusterKey.certificateAuthority?.content },
    cluster: async () => describeCluster(access, await options.ca.current()),
  });
  return { description: `credential plugin ${section.command}`, credential };
}

function describeCluster(access: Access, ca: string | undefined): ExecCluster {
  const { insecureSkipTlsVerify, tlsServerName, proxyUrl, execConfig } = access.cluster;
  const server = serverOf(access);
  return {
    server: server.type === "url" ? server.url : "",
    "tls-server-name": tlsServerName,
    "insecure-skip-tls-verify": insecureSkipTlsVerify || undefined,
    "certificate-authority-data": ca === undefined ? undefined : Buffer.from(ca, "utf8").toString("base64"),
    "proxy-url": proxyUrl,
    config: execConfig,
  };
}
