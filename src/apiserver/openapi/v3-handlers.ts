import { type Document, isKnown, plain } from "../discovery/documents.ts";
import type { Visit } from "../discovery/path-handler.ts";
import type { BufferedServerResponse, ServerRequest, ServerResponse } from "../exchange.ts";
import { acceptedTypes } from "../media-type.ts";
import { openApiCatalog } from "./catalog.ts";
import { httpDate } from "./http-date.ts";

/** `/openapi/v3`: where the documents are. The real server says that it is text. */
export function openApiIndexFace({ served, context }: Visit): ServerResponse {
  const entries = [...openApiCatalog(served)].map(([name, make]) => [
    name,
    { serverRelativeURL: placeOf(name, make()) },
  ]);
  const answer = plain(JSON.stringify({ paths: Object.fromEntries(entries) }), {
    type: "text/plain; charset=utf-8",
  });
  return { ...answer, headers: { ...answer.headers, "last-modified": httpDate(context.clock.now()) } };
}

/** `/openapi/v3/apis/apps/v1`: one of the documents, for good if its hash is named. */
export function openApiFace({ request, parts: [name = ""], served, context }: Visit): ServerResponse {
  const document = openApiCatalog(served).get(name)?.();
  if (!document) return empty(404);
  if (!acceptsJson(request)) return { ...empty(406), headers: { ...uncached, vary: "Accept" } };
  const asked = request.query.get("hash");
  if (asked !== null && asked !== document.hash) return moved(document, placeOf(name, document));
  const forever = { "cache-control": "public, immutable", expires: inAYear(context.clock.now()) };
  const headers = { ...uncached, ...(asked !== null && forever), ...marks(document) };
  if (isKnown(request, document.hash)) return { type: "buffered", status: 304, headers, body: "" };
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": "application/json" },
    body: document.json,
  };
}

function placeOf(name: string, { hash }: Document): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

const uncached = { "cache-control": "no-cache, private" };

function empty(status: number): BufferedServerResponse {
  return { type: "buffered", status, headers: uncached, body: "" };
}

function marks({ hash }: Document): Record<string, string> {
  return { etag: `"${hash}"`, vary: "Accept" };
}

function moved(document: Document, location: string): ServerResponse {
  const headers = { ...uncached, "content-type": "application/json", ...marks(document), location };
  return { type: "buffered", status: 301, headers, body: "" };
}

function acceptsJson({ headers }: ServerRequest): boolean {
  const types = ["*/*", "application/*", "application/json"];
  return acceptedTypes(headers.accept).some(({ type }) => types.includes(type));
}

const yearMs = 365 * 24 * 3600 * 1000;

/** The real server names the zone UTC here. */
function inAYear(now: number): string {
  return httpDate(now + yearMs).replace("GMT", "UTC");
}
