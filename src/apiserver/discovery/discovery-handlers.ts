import type { ServerRequest, ServerResponse } from "../exchange.ts";
import { noSuchResource } from "../status-error.ts";
import { groupDiscoveryList } from "./aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery-documents.ts";
import {
  type DiscoveryFormat,
  type DiscoveryOffer,
  discoveryFormat,
  discoveryType,
} from "./discovery-format.ts";
import { type Document, documentOf, documentText, isKnown, pageNotFound, plain } from "./documents.ts";
import type { Visit } from "./path-handler.ts";
import type { Served, ServedGroup } from "./served.ts";

/** `/api` */
export async function coreFace({ request, served, context }: Visit): Promise<ServerResponse> {
  const format = discoveryFormat(request, { aggregated: true, strict: true });
  if (format.aggregated) return aggregatedAnswer(request, format, aggregated(served).core);
  return written(apiVersions(served.groups, context.address), format);
}

/** `/apis` */
export async function groupsFace({ request, served }: Visit): Promise<ServerResponse> {
  const format = discoveryFormat(request, { aggregated: true });
  if (format.aggregated) return aggregatedAnswer(request, format, aggregated(served).named);
  return written(apiGroupList(served.groups), format);
}

/** `/apis/{group}` */
export async function groupFace({ request, parts: [name], served }: Visit): Promise<ServerResponse> {
  const group = served.groups.find((each) => each.name === name);
  if (!group || name === "") return pageNotFound();
  return written(apiGroup(group), discoveryFormat(request, {}));
}

/** `/api/{version}` */
export function coreVersionFace(visit: Visit): Promise<ServerResponse> {
  return versionFace({ ...visit, parts: ["", ...visit.parts] });
}

/** `/apis/{group}/{version}` */
export async function versionFace({
  request,
  parts: [name, version],
  served,
}: Visit): Promise<ServerResponse> {
  const group = served.groups.find((each) => each.name === name);
  const found = group?.versions.find((each) => each.version === version);
  if (group && found) {
    return written(apiResourceList(found, group), discoveryFormat(request, offerOf(found)));
  }
  if (!group || isCustom(group)) return pageNotFound();
  throw noSuchResource();
}

/** What is built in goes through the real server's router, what is not does not. */
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
  const known = aggregates.get(served);
  if (known) return known;
  const made = {
    core: documentOf(JSON.stringify(groupDiscoveryList(served.groups.filter(({ name }) => name === "")))),
    named: documentOf(JSON.stringify(groupDiscoveryList(served.groups.filter(({ name }) => name !== "")))),
  };
  aggregates.set(served, made);
  return made;
}

const aggregates = new WeakMap<Served, Aggregated>();

async function aggregatedAnswer(
  request: ServerRequest,
  format: DiscoveryFormat,
  document: Document,
): Promise<ServerResponse> {
  const headers = { "cache-control": "public", etag: `"${document.hash}"`, vary: "Accept" };
  if (isKnown(request, document.hash)) return { type: "buffered", status: 304, headers, body: "" };
  const body = documentText(document.json, format);
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": discoveryType(format) },
    body,
  };
}

async function written(value: object, format: DiscoveryFormat): Promise<ServerResponse> {
  const body = documentText(JSON.stringify(value), format);
  return plain(body, { type: discoveryType(format) });
}
