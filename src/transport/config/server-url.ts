/** A normalized URL, or its problem: `expected` continues "expected <setting> …". */
export type ReadUrl =
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "fault"; readonly expected: string; readonly got: string };

/**
 * Reads the server's URL and removes a trailing slash. As in kubectl, a host without a scheme means `https:` if TLS is
 * configured, and `http:` otherwise.
 */
export function readServer(text: string, tlsConfigured: boolean): ReadUrl {
  const scheme = tlsConfigured ? "https://" : "http://";
  const url = parseUrl(hasScheme(text) ? text : `${scheme}${text}`);
  const expected = "to be an http or https URL";
  if (text.includes("@"))
    return { type: "fault", expected: `${expected} without a user`, got: "one with a user" };
  if (!url) return { type: "fault", expected, got: JSON.stringify(text) };
  if (!["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    return { type: "fault", expected: `${expected} with no query`, got: JSON.stringify(text) };
  }
  return { type: "url", url: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
}

/** Reads a proxy's URL. The problem does not quote the URL, because it may contain a password. */
export function readProxy(text: string): ReadUrl {
  const url = hasScheme(text) ? parseUrl(text) : undefined;
  if (url && ["http:", "https:", "socks5:"].includes(url.protocol) && url.hostname !== "") {
    if (`${url.pathname}${url.search}${url.hash}`.includes("@")) {
      const expected = "to have a user and a password in which /, ? and # are written as %2F, %3F and %23";
      return { type: "fault", expected, got: "one of these characters before the @" };
    }
    if (isDecodable(`${url.username}:${url.password}`)) return { type: "url", url: text };
    const expected = "to have a user and a password in which a percent sign is written as %25";
    return { type: "fault", expected, got: "another percent sign" };
  }
  const got = url && hasScheme(text) ? `one that starts with ${url.protocol}//` : "something else";
  return { type: "fault", expected: "to be a URL that starts with http://, https:// or socks5://", got };
}

/** Removes the user and password from a URL. A URL with an "@" is reduced to its scheme and host. */
export function withoutPassword(text: string): string {
  if (!text.includes("@")) return text;
  const url = parseUrl(text);
  return url ? `${url.protocol}//${url.host}` : "an invalid URL";
}

function isDecodable(userInfo: string): boolean {
  try {
    decodeURIComponent(userInfo);
    return true;
  } catch {
    return false;
  }
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
