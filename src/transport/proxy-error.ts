import { asError } from "../base/index.ts";

/** The proxy on the way to the server failed or refused. `code` is what went wrong in Node's or undici's word. */
export class ProxyError extends Error {
  override readonly name: string = "ProxyError";
  readonly code: string;

  /** @param proxy its URL; the user and password in it are not shown */
  constructor(proxy: URL, what: string, details: { readonly code: string; readonly cause?: unknown }) {
    super(`${what} by way of the proxy ${proxy.protocol}//${proxy.host}`, { cause: details.cause });
    this.code = details.code;
  }
}

/** `thrown` as a `ProxyError`. */
export function asProxyError(proxy: URL, thrown: unknown): ProxyError {
  if (thrown instanceof ProxyError) return thrown;
  const cause = asError(thrown);
  return new ProxyError(proxy, cause.message, { code: codeOf(cause), cause });
}

/** The error's code, but for the one after which undici would connect again and again, by itself and for ever. */
function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  if (code === "UND_ERR_SOCKET") return "ECONNRESET";
  return typeof code === "string" ? code : error.name;
}
