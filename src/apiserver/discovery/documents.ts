import { createHash } from "node:crypto";
import { acceptedTypes } from "../codec/media-type.ts";
import type { BufferedServerResponse, ServerRequest } from "../types/exchange.ts";
import { methodNotAllowed, nothingAcceptable } from "../types/status-error.ts";
import { writeYaml } from "../yaml/yaml-writer.ts";

/** A JSON document that is made once and sent often. */
export interface Document {
  /** The document without a trailing newline. */
  readonly json: string;
  /** The SHA-512 of the document: 128 hexadecimal digits. */
  readonly hash: string;
}

export function documentOf(json: string): Document {
  return { json, hash: createHash("sha512").update(json).digest("hex").toUpperCase() };
}

/** The encoding of a document. */
export interface DocumentFormat {
  readonly encoding: "json" | "yaml";
  readonly pretty: boolean;
}

/** Returns a document as text. Compact JSON ends with a newline and indented JSON does not, as in kube-apiserver. */
export function documentText(json: string, format: DocumentFormat): string {
  if (format.encoding === "yaml") return writeYaml(JSON.parse(json));
  return format.pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}

export interface UncachedOptions {
  /** The content type. */
  readonly type: string;
  /** @default 200 */
  readonly status?: number;
}

/** Returns a response that must not be cached. */
export function uncachedResponse(body: string, options: UncachedOptions): BufferedServerResponse {
  const headers = { "cache-control": "no-cache, private", "content-type": options.type };
  return { type: "buffered", status: options.status ?? 200, headers, body };
}

/** Throws unless the request is a GET and accepts `type`. */
export function requireGetOf({ method, headers }: ServerRequest, type: string): void {
  if (method !== "GET") throw methodNotAllowed();
  const accepted = acceptedTypes(headers.accept).map((one) => one.type);
  if (!accepted.includes("*/*") && !accepted.includes(type)) throw nothingAcceptable([type]);
}

/** Returns true if `If-None-Match` has the hash. kube-apiserver compares the whole header. */
export function matchesEtag({ headers }: ServerRequest, hash: string): boolean {
  return headers["if-none-match"] === `"${hash}"`;
}

/** Returns the response for an unknown path. */
export function pageNotFound(): BufferedServerResponse {
  return textResponse("404 page not found\n", 404);
}

export function textResponse(body: string, status = 200): BufferedServerResponse {
  const response = uncachedResponse(body, { type: "text/plain; charset=utf-8", status });
  return { ...response, headers: { ...response.headers, "x-content-type-options": "nosniff" } };
}
