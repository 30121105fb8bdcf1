/** One user's way to one server. */
export interface KubeconfigOptions {
  /** URL of the API server. */
  readonly server: string;
  /** The certificates to trust, in PEM. */
  readonly ca: string;
  readonly user: string;
  readonly credential: UserCredential;
}

/** By what a user is known: a bearer token, or a certificate with its key, in PEM. */
export type UserCredential =
  | { readonly type: "token"; readonly token: string }
  | { readonly type: "certificate"; readonly cert: string; readonly key: string };

/** A kubeconfig file with that one way in it, as JSON, which is YAML too. */
export function kubeconfigText({ server, ca, user, credential }: KubeconfigOptions): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "trimtab", cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [{ name: user, user: presented(credential) }],
    contexts: [{ name: "trimtab", context: { cluster: "trimtab", user, namespace: "default" } }],
    "current-context": "trimtab",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function presented(credential: UserCredential): object {
  if (credential.type === "token") return { token: credential.token };
  const { cert, key } = credential;
  return { "client-certificate-data": base64(cert), "client-key-data": base64(key) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
