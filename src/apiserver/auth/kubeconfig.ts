/** The cluster and user of a kubeconfig. */
export interface KubeconfigOptions {
  /** URL of the API server. */
  readonly server: string;
  /** The certificates to trust, in PEM. */
  readonly ca: string;
  readonly user: string;
  readonly credential: UserCredential;
}

/** The credential of a user: a bearer token, or a certificate with its key, in PEM. */
export type UserCredential =
  | { readonly type: "token"; readonly token: string }
  | { readonly type: "certificate"; readonly cert: string; readonly key: string };

/** Returns a kubeconfig with one cluster, user and context, as JSON, which is also YAML. */
export function kubeconfigText({ server, ca, user, credential }: KubeconfigOptions): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "trimtab", cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [{ name: user, user: userFields(credential) }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user, namespace: "default" } }],
    "current-context": "trimtab",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function userFields(credential: UserCredential): object {
  if (credential.type === "token") return { token: credential.token };
  const { cert, key } = credential;
  return { "client-certificate-data": base64(cert), "client-key-data": base64(key) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
