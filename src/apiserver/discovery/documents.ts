import { createHash } from "node:crypto";
import type { BufferedServerResponse, ServerRequest } from "../exchange.ts";
import { acceptedTypes } from "../media-type.ts";
import { methodNotAllowed, nothingAcceptable } from "../status-error.ts";
import { writeYaml } from "../yaml-writer.ts";

/** JSON that is made once and sent often. */
export interface Document {
  /** Without a newline. */
  readonly json: string;
  /** Tells it from every other: 128 hexadecimal digits. */
  readonly hash: string;
}

export function documentOf(json: string): Document {
  return { json, hash: createHash("sha512").update(json).digest("hex").toUpperCase() };
}

/** How a document is written. */
export interface DocumentFormat {
  readonly encoding: "json" | "yaml";
  readonly pretty: boolean;
}

/** The text of a document. What is compact ends in a newline, what is indented does not, as on the real server. */
export function documentText(json: string, format: DocumentFormat): string {
  if (format.encoding === "yaml") return writeYaml(JSON.parse(json));
  return format.pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : `${json}\n`;
}

export interface PlainOptions {
  /** Of its content. */
  readonly type: string;
  /** @default 200 */
  readonly status?: number;
}

/** An answer without anything special about it. */
export function plain(body: string, more: PlainOptions): BufferedServerResponse {
  const headers = { "cache-control": "no-cache, private", "content-type": more.type };
  return { type: "buffered", status: more.status ?? 200, headers, body };
}

/** Refuses what is no GET, and who does not want the one type there is. */
export function checkOnly({ method, headers }: ServerRequest, type: string): void {
  if (method !== "GET") throw methodNotAllowed();
  const accepted = acceptedTypes(headers.accept).map((one) => one.type);
  if (!accepted.includes("*/*") && !accepted.includes(type)) throw nothingAcceptable([type]);
}

/** Whether the client has the document already. The real server compares the header as a whole. */
export function isKnown({ headers }: ServerRequest, hash: string): boolean {
  return headers["if-none-match"] === `"${hash}"`;
}

/** For paths that nobody serves. */
export function pageNotFound(): BufferedServerResponse {
  return textAnswer("404 page not found\n", 404);
}

export function textAnswer(body: string, status = 200): BufferedServerResponse {
  const answer = plain(body, { type: "text/plain; charset=utf-8", status });
  return { ...answer, headers: { ...answer.headers, "x-content-type-options": "nosniff" } };
}
