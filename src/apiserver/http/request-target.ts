/** The target of a request line: a path, still percent-encoded, and a query. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parses a request target: "/api/v1/pods?limit=5", or the same with scheme and host. */
export function parseRequestTarget(target: string): RequestTarget {
  const [, local = target] = /^https?:\/\/[^/?]*(.*)$/.exec(target) ?? [];
  const mark = local.indexOf("?");
  if (mark < 0) return { path: local, query: new URLSearchParams() };
  return { path: local.slice(0, mark), query: readQuery(local.slice(mark + 1)) };
}

/** Parses a query. Parameters that Go cannot parse, because of a `;` or an invalid `%`, are ignored. */
function readQuery(text: string): URLSearchParams {
  const readable = text.split("&").filter((pair) => !pair.includes(";") && !brokenEscape.test(pair));
  return new URLSearchParams(readable.join("&"));
}

const brokenEscape = /%(?![0-9a-f]{2})/i;

/** Decodes a path. Returns `undefined` for an invalid `%`. Invalid UTF-8 becomes U+FFFD. */
export function decodedPath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  if (brokenEscape.test(path)) return undefined;
  const bytes = path
    .split(/(%[0-9a-f]{2})/i)
    .map((part) => (/^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), "hex") : Buffer.from(part)));
  return Buffer.concat(bytes).toString();
}
