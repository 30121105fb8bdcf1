import { type AnyKind, apiVersionOf, type Kind, type KubeObject, kind } from "../api/index.ts";
import {
  type ApiRequest,
  apiErrorFrom,
  isNotFound,
  isServiceUnavailable,
  parseBody,
  type Transport,
} from "../transport/index.ts";

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
    fetchJson<Answer>(transport, { ...get(path, signal), headers: aggregated });
  const [core, groups] = await Promise.all([ask("/api"), ask("/apis")]);
  const versions = [...versionsIn(core, ""), ...versionsIn(groups, "")];
  const lists = await Promise.all(
    versions.map((version) => version.resources ?? legacyResources(transport, version, signal)),
  );
  const kinds: ServedKind[] = [];
  const unavailable: string[] = [];
  for (const [index, list] of lists.entries()) {
    const version = versions[index] as GroupVersion; // one list per version, in order
    if (list) kinds.push(...list.flatMap((resource) => servedKind(version, resource)));
    else unavailable.push(apiVersionOf(version));
  }
  return { kinds, unavailable };
}

/** Looks one kind up, in its own group and version alone. */
export async function lookUp<T extends KubeObject>(
  transport: Transport,
  wanted: AnyKind<T>,
  signal?: AbortSignal,
): Promise<Kind<T>> {
  const list = await legacyResources(transport, wanted, signal);
  const found = list?.find((resource) => resource.kind === wanted.kind && !resource.name.includes("/"));
  if (found) return kind<T>({ ...nameOf(wanted), plural: found.name, namespaced: found.namespaced });
  const there = list?.filter(({ name }) => !name.includes("/")).map((resource) => resource.kind);
  throw new UnknownKindError(
    `expected the server to know ${wanted.kind} in ${apiVersionOf(wanted)}, ` +
      `got ${there ? `only ${there.join(", ") || "an empty list"}` : "no such group and version"}; ` +
      "is its CustomResourceDefinition installed?",
  );
}

/** The server serves no such kind. */
export class UnknownKindError extends Error {
  override readonly name: string = "UnknownKindError";
}

/** Sends and parses, or throws what the answer stands for. */
export async function fetchJson<T>(transport: Transport, request: ApiRequest): Promise<T> {
  const response = await transport.send(request);
  if (response.status < 200 || response.status > 299) throw apiErrorFrom(request, response);
  return parseBody<T>(request, response);
}

const aggregated = {
  accept: ["v2", "v2beta1"]
    .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
    .concat("application/json")
    .join(","),
};

const get = (path: string, signal: AbortSignal | undefined): ApiRequest => ({ method: "GET", path, signal });

const nameOf = ({ group, version, kind }: AnyKind): Pick<AnyKind, "group" | "version" | "kind"> => ({
  group,
  version,
  kind,
});

/** What `/api` and `/apis` answer: aggregated lists, or the older APIVersions and APIGroupList. */
interface Answer {
  readonly kind: string;
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
  }[];
  readonly items?: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly AggregatedResource[];
      readonly freshness?: string;
    }[];
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

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly string[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** Present where the server told them at once. */
  readonly resources?: readonly LegacyResource[] | undefined;
}

function versionsIn(answer: Answer, group: string): GroupVersion[] {
  if (answer.items) return answer.items.flatMap(aggregatedVersions);
  if (answer.groups) {
    return answer.groups.flatMap(({ name, versions }) =>
      versions.map(({ version }) => ({ group: name, version })),
    );
  }
  return (answer.versions ?? []).map((version) => ({ group, version }));
}

function aggregatedVersions({ metadata, versions }: NonNullable<Answer["items"]>[number]): GroupVersion[] {
  return versions.map(({ version, resources, freshness }) => ({
    group: metadata.name ?? "",
    version,
    resources: freshness === "Stale" ? undefined : (resources ?? []).map(asLegacy),
  }));
}

function asLegacy(resource: AggregatedResource): LegacyResource {
  const {
    resource: name,
    responseKind,
    scope,
    singularResource = "",
    verbs,
    subresources = [],
    ...rest
  } = resource;
  return {
    ...rest,
    name,
    singularName: singularResource,
    kind: responseKind?.kind ?? "",
    namespaced: scope === "Namespaced",
    verbs,
    subresources: subresources.map(({ subresource }) => subresource),
  };
}

/** The older list of one group and version, with subresources gathered under their resource. `undefined`: not served. */
async function legacyResources(
  transport: Transport,
  { group, version }: Pick<GroupVersion, "group" | "version">,
  signal: AbortSignal | undefined,
): Promise<readonly LegacyResource[] | undefined> {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const { resources } = await fetchJson<{ readonly resources: readonly LegacyResource[] }>(
      transport,
      get(path, signal),
    );
    return resources
      .filter(({ name }) => !name.includes("/"))
      .map((resource) => ({ ...resource, subresources: subresourcesOf(resource.name, resources) }));
  } catch (error) {
    if (isNotFound(error) || isServiceUnavailable(error)) return undefined;
    throw error;
  }
}

function subresourcesOf(name: string, resources: readonly LegacyResource[]): string[] {
  const prefix = `${name}/`;
  return resources.flatMap((other) =>
    other.name.startsWith(prefix) ? [other.name.slice(prefix.length)] : [],
  );
}

function servedKind({ group, version }: GroupVersion, resource: LegacyResource): ServedKind[] {
  const { name: plural, namespaced, kind: kindText } = resource;
  if (kindText === "") return [];
  return [
    {
      kind: kind({ group, version, kind: kindText, plural, namespaced }),
      singular: resource.singularName ?? "",
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: resource.verbs,
      subresources: resource.subresources ?? [],
    },
  ];
}
