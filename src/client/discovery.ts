import { apiVersionOf, type Kind, kind } from "../api/index.ts";
import { isServiceUnavailable, type Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";
import { type GroupVersion, type Resource, resourceList } from "./resource-list.ts";

/** What `/version` says. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** Like "v1.36.3". */
  readonly gitVersion: string;
  readonly [field: string]: string;
}

/** A kind as the server serves it. */
export interface ServedKind {
  readonly kind: Kind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Names only: "status", "scale". */
  readonly subresources: readonly string[];
}

/** All kinds of a server, in the order it prefers them. */
export interface Discovery {
  readonly kinds: readonly ServedKind[];
  /** Groups and versions that the server could not tell about just now, as when an aggregated API is down. */
  readonly unavailable: readonly string[];
}

/** Asks the server for its kinds: twice in all where it aggregates them, else once more per group and version. */
export async function discover(transport: Transport, signal?: AbortSignal): Promise<Discovery> {
  const ask = (path: string): Promise<Answer> =>
    fetchJson(transport, { method: "GET", path, headers: { accept: aggregated }, signal });
  const answers = await Promise.all([ask("/api"), ask("/apis")]);
  const told = answers.flatMap(versionsIn);
  const lists = await Promise.all(
    told.map(async (version) => version.resources ?? available(transport, version, signal)),
  );
  const kinds: ServedKind[] = [];
  const unavailable: string[] = [];
  told.forEach((version, index) => {
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

/** A group and version, with what is in it where the server told at once. */
interface Told extends GroupVersion {
  readonly resources?: readonly Resource[] | undefined;
}

/** What `/api` and `/apis` answer: an `APIGroupDiscoveryList`, or the older `APIVersions` and `APIGroupList`. */
interface Answer {
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
    /** "Stale" where the server could not ask the API behind it. */
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

function versionsIn({ items, groups, versions = [] }: Answer): Told[] {
  if (items) return items.flatMap(toldAtOnce);
  if (!groups) return versions.map((version) => ({ group: "", version }));
  return groups.flatMap(({ name, versions }) => versions.map(({ version }) => ({ group: name, version })));
}

function toldAtOnce({ metadata, versions }: AggregatedGroup): Told[] {
  return versions.map(({ version, resources = [], freshness }) => ({
    group: metadata?.name ?? "",
    version,
    resources: freshness === "Stale" ? undefined : resources.map(resourceOf),
  }));
}

function resourceOf(told: AggregatedResource): Resource {
  const { resource: name, responseKind, scope, singularResource, subresources = [], ...same } = told;
  return {
    ...same,
    name,
    singularName: singularResource,
    kind: responseKind?.kind ?? "",
    namespaced: scope === "Namespaced",
    subresources: subresources.map(({ subresource }) => subresource),
  };
}

/** What is served there, or `undefined` where that cannot be told just now. */
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

/** A resource without a kind is there for its subresources only. */
function served({ group, version }: GroupVersion, resource: Resource): ServedKind[] {
  const { name: plural, namespaced, kind: name, verbs, subresources } = resource;
  if (name === "") return [];
  const { singularName: singular = "", shortNames = [], categories = [] } = resource;
  const found = kind({ group, version, kind: name, plural, namespaced });
  return [{ kind: found, singular, shortNames, categories, verbs, subresources }];
}
