import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeconfigOptions, kubeconfigText, type UserCredential } from "../apiserver/index.ts";

export interface KubeconfigsOptions extends Pick<KubeconfigOptions, "server" | "ca"> {
  /** UserCredential of each user, by name. */
  readonly credentials: ReadonlyMap<string, UserCredential>;
}

/** The kubeconfig files of a cluster's users. */
export interface Kubeconfigs {
  /** Returns the path of a user's file. Throws if the user is unknown. */
  of(user: string): string;
}

/** Writes a kubeconfig file for each user into `folder`. */
export async function writeKubeconfigs(
  folder: string,
  { server, ca, credentials }: KubeconfigsOptions,
): Promise<Kubeconfigs> {
  const paths = new Map<string, string>();
  for (const [user, credential] of credentials) {
    // A user's name may not be a valid file name.
    const path = join(folder, `${paths.size}.kubeconfig`);
    await writeFile(path, kubeconfigText({ server, ca, user, credential }), { mode: 0o600 });
    paths.set(user, path);
  }
  return { of: (user) => pathOf(user, paths) };
}

function pathOf(user: string, paths: ReadonlyMap<string, string>): string {
  const path = paths.get(user);
  if (path !== undefined) return path;
  const names = [...paths.keys()].join(", ");
  throw new Error(`expected one of the users ${names}, got "${user}": name it in \`users\` at the start`);
}
