export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A kubeconfig with one context, named as its cluster and user are. */
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
