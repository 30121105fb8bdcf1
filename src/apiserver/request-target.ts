/** What a request line names: a path, decoded by nobody yet, and a query. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads a target as it came: "/api/v1/pods?limit=5", or with a scheme and host before it. */
export function parseRequestTarget(target: string): RequestTarget {
  const [, local = target] = /^https?:\/\/[^/?]*(.*)$/.exec(target) ?? [];
  const mark = local.indexOf("?");
  if (mark < 0) return { path: local, query: new URLSearchParams() };
  return { path: local.slice(0, mark), query: readQuery(local.slice(mark + 1)) };
}

/** Parameters that Go cannot read, for a `;` or a broken `%`, are passed over as if they were not there. */
function readQuery(text: string): URLSearchParams {
  const readable = text.split("&").filter((pair) => !pair.includes(";") && !brokenEscape.test(pair));
  return new URLSearchParams(readable.join("&"));
}

const brokenEscape = /%(?![0-9a-f]{2})/i;

/** A path with its escapes read; nothing where one is broken. Bytes that are no UTF-8 become U+FFFD. */
export function decodedPath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  if (brokenEscape.test(path)) return undefined;
  const bytes = path
    .split(/(%[0-9a-f]{2})/i)
    .map((part) => (/^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), "hex") : Buffer.from(part)));
  return Buffer.concat(bytes).toString();
}
