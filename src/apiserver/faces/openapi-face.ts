import type { ServerRequest, ServerResponse, WholeResponse } from "../exchange.ts";
import { acceptedTypes } from "../media-type.ts";
import { type Document, documentOf, isKnown, plain } from "./documents.ts";
import { httpDate } from "./http-date.ts";
import { openApiDocument } from "./openapi-document.ts";
import { type Served, type ServedVersion, sameItems } from "./served.ts";
import type { Visit } from "./visit.ts";

/** `/openapi/v3`: where the documents are. The real server says that it is text. */
export function openApiIndexFace({ served, context }: Visit): ServerResponse {
  const paths = Object.fromEntries(versionsOf(served).map((version) => [nameOf(version), placeOf(version)]));
  const answer = plain(JSON.stringify({ paths }), { type: "text/plain; charset=utf-8" });
  return { ...answer, headers: { ...answer.headers, "last-modified": httpDate(context.clock.now()) } };
}

/** `/openapi/v3/apis/apps/v1`: the document of a group and version, for good if its hash is named. */
export function openApiFace({ request, parts: [name], served, context }: Visit): ServerResponse {
  const version = versionsOf(served).find((each) => nameOf(each) === name);
  if (!version) return empty(404);
  if (!acceptsJson(request)) return { ...empty(406), headers: { ...uncached, vary: "Accept" } };
  const document = documentFor(version);
  const asked = request.query.get("hash");
  if (asked !== null && asked !== document.hash) return moved(version, document);
  const forever = { "cache-control": "public, immutable", expires: inAYear(context.clock.now()) };
  const headers = { ...uncached, ...(asked !== null && forever), ...marks(document) };
  if (isKnown(request, document.hash)) return { type: "whole", status: 304, headers, body: "" };
  return { type: "whole", status: 200, headers: { ...headers, "content-type": "application/json" }, body: document.json };
}

const uncached = { "cache-control": "no-cache, private" };

function empty(status: number): WholeResponse {
  return { type: "whole", status, headers: uncached, body: "" };
}

function marks({ hash }: Document): Record<string, string> {
  return { etag: `"${hash}"`, vary: "Accept" };
}

function moved(version: ServedVersion, document: Document): ServerResponse {
  const { serverRelativeURL } = placeOf(version);
  const headers = { ...uncached, "content-type": "application/json", ...marks(document), location: serverRelativeURL };
  return { type: "whole", status: 301, headers, body: "" };
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

function versionsOf(served: Served): ServedVersion[] {
  return served.groups.flatMap(({ versions }) => versions);
}

/** `api/v1`, `apis/apps/v1` */
function nameOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function placeOf(version: ServedVersion): { readonly serverRelativeURL: string } {
  return { serverRelativeURL: `/openapi/v3/${nameOf(version)}?hash=${documentFor(version).hash}` };
}

/** Made once for the same resources, however others come and go. */
function documentFor(version: ServedVersion): Document {
  const [first] = version.resources;
  if (!first) return documentOf({});
  const known = documents.get(first);
  if (known && sameItems(known.resources, version.resources)) return known.document;
  const document = documentOf(openApiDocument(version));
  documents.set(first, { resources: version.resources, document });
  return document;
}

/** By the first resource of the version. */
const documents = new WeakMap<object, { readonly resources: readonly object[]; readonly document: Document }>();
