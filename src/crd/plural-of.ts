/**
 * Returns the English plural of a kind in lower case: `websites` for `Website`, `policies` for `Policy`, `ingresses`
 * for `Ingress`.
 */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
