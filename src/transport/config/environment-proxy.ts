import { ConfigError } from "./config-error.ts";
import type { Environment } from "./exec-plugin.ts";
import { bypassesProxy } from "./no-proxy.ts";
import { readProxy } from "./server-url.ts";

/** A proxy and the source of its URL. */
export interface ProxySetting {
  /** May contain a password: do not log it. */
  readonly url: string;
  /** The settings to check if the proxy fails, for messages. */
  readonly origin: string;
}

/**
 * Returns the proxy that the environment names for `server`, as kubectl does (Go's `ProxyFromEnvironment`): HTTPS_PROXY
 * for an `https:` server, HTTP_PROXY for an `http:` one, unless NO_PROXY matches or the server is on loopback. A
 * variable that is empty or not set is looked up in lower case. A proxy without a scheme is an HTTP proxy.
 *
 * Throws a `ConfigError` for a proxy that it cannot use. Go connects without a proxy in that case.
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

/** Returns the variable with the upper-case name, or the one with the lower-case name if the first is empty. */
function variableOf(env: Environment, upperCase: string): Variable | undefined {
  const name = [upperCase, upperCase.toLowerCase()].find((each) => env[each]);
  return name === undefined ? undefined : { name, value: env[name] ?? "" };
}

/**
 * Adds `http://` if there is no scheme, and reads socks5h as socks5, because the proxy resolves names in both cases
 * here.
 */
function withScheme(text: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return url.replace(/^socks5h:/i, "socks5:");
}

/** Returns the error for a CGI program, where a client can set HTTP_PROXY with a `Proxy` header (CVE-2016-5385). */
function setByRequest(name: string): ConfigError {
  return new ConfigError(
    `expected ${name} to be unset in a CGI program, where an HTTP request can set it, got one beside REQUEST_METHOD: ` +
      "unset it, or use the proxyUrl option",
  );
}
