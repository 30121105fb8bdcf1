import type { Resource, ServedSubresource } from "../resource.ts";
import type { ServedGroup, ServedVersion } from "./served.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

/** `/api`: the versions of the core group. */
export function apiVersions(groups: readonly ServedGroup[], serverAddress: string): object {
  const core = groups.find(({ name }) => name === "");
  return {
    kind: "APIVersions",
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `/apis`: all other groups. */
export function apiGroupList(groups: readonly ServedGroup[]): object {
  const named = groups.filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: named.map(groupOf) };
}

/** `/apis/{group}` */
export function apiGroup(group: ServedGroup): object {
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(group) };
}

function groupOf({ name, versions }: ServedGroup): object {
  const [preferredVersion, ...others] = versions.map(({ groupVersion, version }) => ({
    groupVersion,
    version,
  }));
  return { name, versions: [preferredVersion, ...others], preferredVersion };
}

/** `/api/v1` and `/apis/{group}/{version}`: kinds, each followed by its parts. */
export function apiResourceList(served: ServedVersion, group: ServedGroup): object {
  const all = group.versions.flatMap(({ resources }) => resources);
  return {
    kind: "APIResourceList",
    // The core's list leaves its own version out.
    ...(served.group !== "" && { apiVersion: "v1" }),
    groupVersion: served.groupVersion,
    resources: served.resources.flatMap((resource) => [
      resourceEntry(resource, all),
      ...resource.subresources.map((part) => subresourceEntry(resource, part)),
    ]),
  };
}

function resourceEntry(resource: Resource, all: readonly Resource[]): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(isStored(resource) && { storageVersionHash: storageVersionHash(resource, all) }),
  };
}

/** Reviews are answered, and not kept. */
function isStored({ verbs }: Resource): boolean {
  return verbs.includes("delete");
}

/** Group and version are told where they are not those of the list. */
function subresourceEntry(
  resource: Resource,
  { name, group, version, kind, verbs }: ServedSubresource,
): object {
  const foreign = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.plural}/${name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(foreign && { group, version }),
    kind,
    verbs,
  };
}
