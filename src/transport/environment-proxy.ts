import { ConfigError } from "./config-error.ts";
import type { Environment } from "./exec-plugin.ts";
import { bypassesProxy } from "./no-proxy.ts";
import { readProxy } from "./server-url.ts";

/** A proxy, and where its URL came from. */
export interface ProxySetting {
  /** May contain a password: do not log it. */
  readonly url: string;
  /** What to check when the proxy fails, for messages. */
  readonly origin: string;
}

/**
 * Returns the proxy that the environment names for `server`, as kubectl does (Go's `ProxyFromEnvironment`): HTTPS_PROXY
 * for an `https:` server, HTTP_PROXY for an `http:` one, unless NO_PROXY matches or the server is on loopback. A
 * variable that is empty or not set is looked up in lower case. A proxy without a scheme is an HTTP proxy.
 *
 * Unlike Go, which then connects without a proxy, it throws a `ConfigError` for a proxy that it cannot use.
 */
export function environmentProxy(server: string, env: Environment): ProxySetting | undefined {
  const url = new URL(server);
  const proxy = variableOf(env, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (!proxy || bypassesProxy(url, variableOf(env, "NO_PROXY")?.value ?? "")) return undefined;
  if (url.protocol === "http:" && env.REQUEST_METHOD) throw setByRequest(proxy.name);
  const read = readProxy(withScheme(proxy.value));
  const action = `correct it, unset it, or add ${url.hostname} to NO_PROXY`;
  if (read.type === "fault") {
    throw new ConfigError(`expected ${proxy.name} ${read.expected}, got ${read.got}: ${action}`);
  }
  return { url: read.url, origin: `${proxy.name} and NO_PROXY` };
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Returns the variable of that name in upper case, or in lower case where that is empty. */
function variableOf(env: Environment, upperCase: string): Variable | undefined {
  const name = [upperCase, upperCase.toLowerCase()].find((each) => env[each]);
  return name === undefined ? undefined : { name, value: env[name] ?? "" };
}

/** Adds `http://` where there is no scheme, and reads socks5h as socks5: here, the proxy resolves names in either case. */
function withScheme(text: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return url.replace(/^socks5h:/i, "socks5:");
}

/** In a CGI program, a client of the web server can set HTTP_PROXY with a `Proxy` header (CVE-2016-5385). */
function setByRequest(name: string): ConfigError {
  return new ConfigError(
    `expected ${name} to be unset in a CGI program, where an HTTP request can set it, got one beside REQUEST_METHOD: ` +
      "unset it, or use the proxyUrl option",
  );
}
