/** A kind's name in paths, by the rules of English: `Website` is `websites`, `Policy` `policies`, `Ingress` `ingresses`. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
