import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One user's way to one server. */
export interface Access {
  /** URL of the API server. */
  readonly server: string;
  /** The certificates to trust, in PEM. */
  readonly ca: string;
  readonly user: string;
  /** Bearer token of that user. */
  readonly token: string;
}

export interface KubeconfigsOptions extends Omit<Access, "user" | "token"> {
  /** Token of each user, by name. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Writes a kubeconfig file for each user into `folder`. Gives their paths, by user. */
export async function writeKubeconfigs(
  folder: string,
  { server, ca, tokens }: KubeconfigsOptions,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const [user, token] of tokens) {
    // A user's name may be no file's name.
    const path = join(folder, `${paths.size}.kubeconfig`);
    await writeFile(path, kubeconfigText({ server, ca, user, token }), { mode: 0o600 });
    paths.set(user, path);
  }
  return paths;
}

/** A kubeconfig file with that one way in it, as JSON, which is YAML too. */
export function kubeconfigText({ server, ca, user, token }: Access): string {
  const clusterEntry = { server, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "trimtab", cluster: clusterEntry }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user, namespace: "default" } }],
    "current-context": "trimtab",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
