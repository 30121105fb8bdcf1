import type { ServerRequest, ServerResponse } from "../types/exchange.ts";
import { noSuchResource } from "../types/status-error.ts";
import { groupDiscoveryList } from "./aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery-documents.ts";
import {
  type DiscoveryFormat,
  type DiscoveryOffer,
  discoveryFormat,
  discoveryType,
} from "./discovery-format.ts";
import {
  type Document,
  documentOf,
  documentText,
  matchesEtag,
  pageNotFound,
  uncachedResponse,
} from "./documents.ts";
import type { PathRequest } from "./path-handler.ts";
import type { Served, ServedGroup } from "./served.ts";

/** Serves `/api`. */
export async function serveCoreVersions({ request, served, context }: PathRequest): Promise<ServerResponse> {
  const format = discoveryFormat(request, { aggregated: true, strict: true });
  if (format.aggregated) return aggregatedResponse(request, format, aggregated(served).core);
  return documentResponse(apiVersions(served.groups, context.address), format);
}

/** Serves `/apis`. */
export async function serveGroups({ request, served }: PathRequest): Promise<ServerResponse> {
  const format = discoveryFormat(request, { aggregated: true });
  if (format.aggregated) return aggregatedResponse(request, format, aggregated(served).named);
  return documentResponse(apiGroupList(served.groups), format);
}

/** Serves `/apis/{group}`. */
export async function serveGroup({ request, parts: [name], served }: PathRequest): Promise<ServerResponse> {
  const group = served.groups.find((each) => each.name === name);
  if (!group || name === "") return pageNotFound();
  return documentResponse(apiGroup(group), discoveryFormat(request, {}));
}

/** Serves `/api/{version}`. */
export function serveCoreVersion(request: PathRequest): Promise<ServerResponse> {
  return serveVersion({ ...request, parts: ["", ...request.parts] });
}

/** Serves `/apis/{group}/{version}`. */
export async function serveVersion({
  request,
  parts: [name, version],
  served,
}: PathRequest): Promise<ServerResponse> {
  const group = served.groups.find((each) => each.name === name);
  const found = group?.versions.find((each) => each.version === version);
  if (group && found) {
    return documentResponse(apiResourceList(found, group), discoveryFormat(request, offerOf(found)));
  }
  if (!group || isCustom(group)) return pageNotFound();
  throw noSuchResource();
}

/** Returns the offer of a version. Built-in versions go through kube-apiserver's router, custom ones do not. */
function offerOf({ custom }: { readonly custom: boolean }): DiscoveryOffer {
  return { strict: !custom };
}

function isCustom({ versions }: ServedGroup): boolean {
  return versions.every(({ custom }) => custom);
}

interface Aggregated {
  readonly core: Document;
  readonly named: Document;
}

function aggregated(served: Served): Aggregated {
  const cached = aggregates.get(served);
  if (cached) return cached;
  const created = {
    core: documentOf(JSON.stringify(groupDiscoveryList(served.groups.filter(({ name }) => name === "")))),
    named: documentOf(JSON.stringify(groupDiscoveryList(served.groups.filter(({ name }) => name !== "")))),
  };
  aggregates.set(served, created);
  return created;
}

const aggregates = new WeakMap<Served, Aggregated>();

async function aggregatedResponse(
  request: ServerRequest,
  format: DiscoveryFormat,
  document: Document,
): Promise<ServerResponse> {
  const headers = { "cache-control": "public", etag: `"${document.hash}"`, vary: "Accept" };
  if (matchesEtag(request, document.hash)) return { type: "buffered", status: 304, headers, body: "" };
  const body = documentText(document.json, format);
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": discoveryType(format) },
    body,
  };
}

async function documentResponse(value: object, format: DiscoveryFormat): Promise<ServerResponse> {
  const body = documentText(JSON.stringify(value), format);
  return uncachedResponse(body, { type: discoveryType(format) });
}
