export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Returns a kubeconfig with one context, whose cluster and user have the same name. */
export function kubeconfigOf(
  name: string,
  { cluster = "", user = "token: sesame", context = "" } = {},
): string {
  return `
current-context: ${name}
clusters: [{ name: ${name}, cluster: { server: "https://${name}:6443", ${cluster} } }]
users: [{ name: ${name}, user: { ${user} } }]
contexts: [{ name: ${name}, context: { cluster: ${name}, user: ${name}, ${context} } }]
`;
}
