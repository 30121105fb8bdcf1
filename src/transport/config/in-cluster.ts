import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { asError, type Logger } from "../../base/index.ts";
import type { Access } from "./access.ts";
import { ConfigError, systemCode } from "./config-error.ts";
import type { Place } from "./config-field.ts";
import type { Environment } from "./exec-plugin.ts";
import type { PemSource } from "./pem-source.ts";
import { readPem } from "./pem-source.ts";

/** The folder into which the kubelet mounts a Pod's token, certificate authority and namespace. */
export const serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  readonly env: Environment;
  readonly log: Logger;
  /** @default "/var/run/secrets/kubernetes.io/serviceaccount" */
  readonly serviceAccountDir?: string | undefined;
}

/**
 * Returns access to the cluster that this process runs in, with the Pod's service account. Throws a `ConfigError` that
 * names what is missing if the process does not run in a Pod with a token.
 */
export async function inClusterAccess(options: InClusterOptions): Promise<Access> {
  const server = serverFrom(options.env);
  const dir = options.serviceAccountDir ?? serviceAccountDir;
  const tokenFile = join(dir, "token");
  await readFile(tokenFile).catch((cause: unknown) => {
    throw new ConfigError(`expected a readable token in ${tokenFile}, got ${systemCode(cause)}`, { cause });
  });
  return {
    cluster: {
      place: podPlace,
      server,
      insecureSkipTlsVerify: false,
      certificateAuthority: await authorityIn(dir, options.log),
    },
    user: { place: podPlace, tokenFile },
    namespace: await namespaceFrom(options.env, dir),
    origin: "in-cluster service account",
  };
}

const podPlace: Place = {
  problem: (field, expected, got) => `expected the service account's ${field} ${expected}, got ${got}`,
  describe: (field) => (field === "" ? "the service account" : `the service account's ${field}`),
};

function serverFrom(env: Environment): string {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) {
    throw new ConfigError(
      `expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, as in a Pod, got "${host ?? ""}" and "${port ?? ""}"`,
    );
  }
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Returns the service account's certificate authority. If it is not readable, Node's authorities are used, as in
 * client-go.
 */
async function authorityIn(dir: string, log: Logger): Promise<PemSource | undefined> {
  const file = join(dir, "ca.crt");
  const source: PemSource = { place: podPlace, field: "ca.crt", content: { type: "file", file } };
  try {
    await readPem(source);
    return source;
  } catch (error) {
    log.error("certificate authority of the service account not readable", { file, error: asError(error) });
    return undefined;
  }
}

async function namespaceFrom(env: Environment, dir: string): Promise<string> {
  if (env.POD_NAMESPACE) return env.POD_NAMESPACE;
  // The file is optional: a Pod can mount the token alone.
  const text = await readFile(join(dir, "namespace"), "utf8").catch(() => "");
  return text.trim() || "default";
}
