import { asError } from "../../base/index.ts";

/** A failure or refusal of the proxy. `code` is the error code of Node or undici. */
export class ProxyError extends Error {
  override readonly name: string = "ProxyError";
  readonly code: string;

  /** @param proxy the proxy's URL; the message does not show its user and password */
  constructor(proxy: URL, what: string, details: { readonly code: string; readonly cause?: unknown }) {
    super(`${what} via the proxy ${proxy.protocol}//${proxy.host}`, { cause: details.cause });
    this.code = details.code;
  }
}

/** Converts `thrown` to a `ProxyError`. */
export function asProxyError(proxy: URL, thrown: unknown): ProxyError {
  if (thrown instanceof ProxyError) return thrown;
  const cause = asError(thrown);
  return new ProxyError(proxy, cause.message, { code: codeOf(cause), cause });
}

/** Returns the error's code, except UND_ERR_SOCKET, after which undici would reconnect endlessly. */
function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  if (code === "UND_ERR_SOCKET") return "ECONNRESET";
  return typeof code === "string" ? code : error.name;
}
