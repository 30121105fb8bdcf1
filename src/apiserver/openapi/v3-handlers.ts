import { acceptedTypes } from "../codec/media-type.ts";
import { type Document, matchesEtag, uncachedResponse } from "../discovery/documents.ts";
import type { PathRequest } from "../discovery/path-handler.ts";
import type { BufferedServerResponse, ServerRequest, ServerResponse } from "../types/exchange.ts";
import { openApiCatalog } from "./catalog.ts";
import { httpDate } from "./http-date.ts";

/** Serves `/openapi/v3`: the addresses of the documents. kube-apiserver declares the response as text. */
export function serveOpenApiIndex({ served, context }: PathRequest): ServerResponse {
  const entries = [...openApiCatalog(served)].map(([name, make]) => [
    name,
    { serverRelativeURL: urlOf(name, make()) },
  ]);
  const response = uncachedResponse(JSON.stringify({ paths: Object.fromEntries(entries) }), {
    type: "text/plain; charset=utf-8",
  });
  return { ...response, headers: { ...response.headers, "last-modified": httpDate(context.clock.now()) } };
}

/** Serves `/openapi/v3/apis/apps/v1`: one of the documents. A request with its hash may be cached forever. */
export function serveOpenApiDocument({
  request,
  parts: [name = ""],
  served,
  context,
}: PathRequest): ServerResponse {
  const document = openApiCatalog(served).get(name)?.();
  if (!document) return empty(404);
  if (!acceptsJson(request)) return { ...empty(406), headers: { ...uncached, vary: "Accept" } };
  const requestedHash = request.query.get("hash");
  if (requestedHash !== null && requestedHash !== document.hash)
    return redirect(document, urlOf(name, document));
  const immutable = { "cache-control": "public, immutable", expires: oneYearAfter(context.clock.now()) };
  const headers = { ...uncached, ...(requestedHash !== null && immutable), ...cacheHeaders(document) };
  if (matchesEtag(request, document.hash)) return { type: "buffered", status: 304, headers, body: "" };
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": "application/json" },
    body: document.json,
  };
}

function urlOf(name: string, { hash }: Document): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

const uncached = { "cache-control": "no-cache, private" };

function empty(status: number): BufferedServerResponse {
  return { type: "buffered", status, headers: uncached, body: "" };
}

function cacheHeaders({ hash }: Document): Record<string, string> {
  return { etag: `"${hash}"`, vary: "Accept" };
}

function redirect(document: Document, location: string): ServerResponse {
  const headers = { ...uncached, "content-type": "application/json", ...cacheHeaders(document), location };
  return { type: "buffered", status: 301, headers, body: "" };
}

function acceptsJson({ headers }: ServerRequest): boolean {
  const types = ["*/*", "application/*", "application/json"];
  return acceptedTypes(headers.accept).some(({ type }) => types.includes(type));
}

const yearMs = 365 * 24 * 3600 * 1000;

/** kube-apiserver writes the time zone as UTC here. */
function oneYearAfter(now: number): string {
  return httpDate(now + yearMs).replace("GMT", "UTC");
}
