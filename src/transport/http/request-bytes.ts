import type { ApiRequest, Method } from "../transport.ts";

export interface RequestParts {
  readonly method: Method;
  readonly path: string;
  readonly host: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: ApiRequest["body"];
}

/**
 * Returns the bytes of an HTTP/1.1 request after which the server closes the connection. Throws for invalid headers.
 */
export function requestBytes({ method, path, host, headers, body = "" }: RequestParts): Buffer {
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(path)) throw invalid("path", JSON.stringify(path));
  const content = Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`, "connection: close"];
  if (content.length > 0) lines.push(`content-length: ${content.length}`);
  for (let at = 0; at < headers.length; at += 2) lines.push(headerLine(headers[at], headers[at + 1]));
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), content]);
}

function headerLine(name = "", value = ""): string {
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) throw invalid("header name", JSON.stringify(name));
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw invalid(`value of the header ${name}`, "characters that it must not have"); // may be a secret
  return `${name}: ${value}`;
}

function invalid(what: string, got: string): Error {
  const text = `expected a valid ${what} of a request, got ${got}`;
  return Object.assign(new TypeError(text), { code: "UND_ERR_INVALID_ARG" });
}
