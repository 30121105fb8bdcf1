import { type AnyKind, apiVersionOf, type Kind, type KubeObject, kind, metadataOnly } from "../api/index.ts";
import { type ApiRequest, isNotFound, isServiceUnavailable, type Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";

/** The response of `/version`. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** For example "v1.36.3". */
  readonly gitVersion: string;
  readonly [field: string]: string;
}

/** A kind with its discovery information. */
export interface ServedKind {
  readonly kind: Kind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Names without the resource: "status", "scale". */
  readonly subresources: readonly string[];
}

/** All kinds of a server, in the server's order of preference. */
export interface Discovery {
  readonly kinds: readonly ServedKind[];
  /** Groups and versions whose kinds are not available, for example because an aggregated API is down. */
  readonly unavailable: readonly string[];
}

/** Thrown if the server does not serve the kind. */
export class UnknownKindError extends Error {
  override readonly name: string = "UnknownKindError";
}

/**
 * Returns the kind with its plural and scope, from the discovery of its group and version. `resolve` of a client caches
 * the result. Throws an `UnknownKindError` if the server does not serve the kind.
 */
export async function resolveKind<T extends KubeObject>(
  transport: Transport,
  wanted: AnyKind<T>,
  signal?: AbortSignal,
): Promise<Kind<T>> {
  const resources = await resourceList(transport, wanted, signal);
  const found = resources?.find((resource) => resource.kind === wanted.kind);
  if (!found) throw unknownKindError(wanted, resources);
  const { group, version } = wanted;
  const { name: plural, namespaced } = found;
  const known = kind<T>({ group, version, kind: wanted.kind, plural, namespaced });
  // the objects of a metadata-only kind have the requested type
  return wanted.metadataOnly ? (metadataOnly(known) as Kind as Kind<T>) : known;
}

function unknownKindError(wanted: AnyKind, resources: readonly Resource[] | undefined): UnknownKindError {
  const kinds = resources?.map((resource) => resource.kind).join(", ");
  const got = resources ? `only ${kinds || "an empty list"}` : "no such group and version";
  return new UnknownKindError(
    `expected the server to serve ${wanted.kind} in ${apiVersionOf(wanted)}, got ${got}; ` +
      "is its CustomResourceDefinition installed?",
  );
}

/**
 * Reads the server's kinds: with two requests if it supports aggregated discovery, else with one more per group and
 * version.
 */
export async function discover(transport: Transport, signal?: AbortSignal): Promise<Discovery> {
  const request = (path: string): Promise<DiscoveryResponse> =>
    fetchJson(transport, { method: "GET", path, headers: { accept: aggregated }, signal });
  const responses = await Promise.all([request("/api"), request("/apis")]);
  const versions = responses.flatMap(versionsIn);
  const lists = await Promise.all(
    versions.map(async (version) => version.resources ?? available(transport, version, signal)),
  );
  const kinds: ServedKind[] = [];
  const unavailable: string[] = [];
  versions.forEach((version, index) => {
    const resources = lists[index];
    if (resources) kinds.push(...resources.flatMap((resource) => served(version, resource)));
    else unavailable.push(apiVersionOf(version));
  });
  return { kinds, unavailable };
}

const aggregated = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

/** A group and version, with its resources if the discovery response contains them. */
interface DiscoveredVersion extends GroupVersion {
  readonly resources?: readonly Resource[] | undefined;
}

/** The response of `/api` and `/apis`: an `APIGroupDiscoveryList`, or the older `APIVersions` and `APIGroupList`. */
interface DiscoveryResponse {
  readonly items?: readonly AggregatedGroup[];
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
  }[];
}

interface AggregatedGroup {
  /** The core group has no name. */
  readonly metadata?: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly AggregatedResource[];
    /** "Stale" if the server could not reach the aggregated API. */
    readonly freshness?: string;
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: "Namespaced" | "Cluster";
  readonly singularResource?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

function versionsIn({ items, groups, versions = [] }: DiscoveryResponse): DiscoveredVersion[] {
  if (items) return items.flatMap(aggregatedVersions);
  if (!groups) return versions.map((version) => ({ group: "", version }));
  return groups.flatMap(({ name, versions }) => versions.map(({ version }) => ({ group: name, version })));
}

function aggregatedVersions({ metadata, versions }: AggregatedGroup): DiscoveredVersion[] {
  return versions.map(({ version, resources = [], freshness }) => ({
    group: metadata?.name ?? "",
    version,
    resources: freshness === "Stale" ? undefined : resources.map(resourceOf),
  }));
}

function resourceOf(resource: AggregatedResource): Resource {
  const { resource: name, responseKind, scope, singularResource, subresources = [], ...same } = resource;
  return {
    ...same,
    name,
    singularName: singularResource,
    kind: responseKind?.kind ?? "",
    namespaced: scope === "Namespaced",
    subresources: subresources.map(({ subresource }) => subresource),
  };
}

/** Returns the resources of a group and version, or `undefined` if they are not available. */
async function available(
  transport: Transport,
  version: GroupVersion,
  signal: AbortSignal | undefined,
): Promise<readonly Resource[] | undefined> {
  try {
    return await resourceList(transport, version, signal);
  } catch (error) {
    if (isServiceUnavailable(error)) return undefined;
    throw error;
  }
}

/** Converts a resource to a kind. A resource without a kind exists only for its subresources, and is omitted. */
function served({ group, version }: GroupVersion, resource: Resource): ServedKind[] {
  const { name: plural, namespaced, kind: name, verbs, subresources } = resource;
  if (name === "") return [];
  const { singularName: singular = "", shortNames = [], categories = [] } = resource;
  const found = kind({ group, version, kind: name, plural, namespaced });
  return [{ kind: found, singular, shortNames, categories, verbs, subresources }];
}

/** A group and version of the API. */
interface GroupVersion {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
}

/** A resource in the discovery of its group and version. */
interface Resource {
  /** The plural. */
  readonly name: string;
  readonly singularName?: string | undefined;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Names without the resource: "status", "scale". */
  readonly subresources: readonly string[];
}

/** Returns the resources of one group and version, or `undefined` if the server does not serve it. */
async function resourceList(
  transport: Transport,
  { group, version }: GroupVersion,
  signal: AbortSignal | undefined,
): Promise<readonly Resource[] | undefined> {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const request: ApiRequest = { method: "GET", path, headers: { accept: "application/json" }, signal };
  try {
    const { resources } = await fetchJson<ApiResourceList>(transport, request);
    return withSubresources(resources ?? []);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** An `APIResourceList`. Subresources are separate entries, such as "deployments/scale". */
interface ApiResourceList {
  readonly resources?: readonly Omit<Resource, "subresources">[] | null;
}

function withSubresources(listed: readonly Omit<Resource, "subresources">[]): Resource[] {
  return listed
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => ({ ...resource, subresources: subresourcesOf(resource.name, listed) }));
}

function subresourcesOf(plural: string, listed: readonly Pick<Resource, "name">[]): string[] {
  const prefix = `${plural}/`;
  return listed.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
