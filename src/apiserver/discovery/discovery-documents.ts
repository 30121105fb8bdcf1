import type { Resource, ServedSubresource } from "../types/resource.ts";
import type { ServedGroup, ServedVersion } from "./served.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

/** Returns the document of `/api`: the versions of the core group. */
export function apiVersions(groups: readonly ServedGroup[], serverAddress: string): object {
  const core = groups.find(({ name }) => name === "");
  return {
    kind: "APIVersions",
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** Returns the document of `/apis`: all other groups. */
export function apiGroupList(groups: readonly ServedGroup[]): object {
  const named = groups.filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: named.map(groupOf) };
}

/** Returns the document of `/apis/{group}`. */
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

/** Returns the document of `/api/v1` or `/apis/{group}/{version}`: resources, each followed by its subresources. */
export function apiResourceList(served: ServedVersion, group: ServedGroup): object {
  const all = group.versions.flatMap(({ resources }) => resources);
  return {
    kind: "APIResourceList",
    // kube-apiserver omits apiVersion in the list of the core group.
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

/** Returns true if objects are stored. Reviews are not. */
function isStored({ verbs }: Resource): boolean {
  return verbs.includes("delete");
}

/** Returns the entry of a subresource. Group and version are set only if they differ from those of the list. */
function subresourceEntry(
  resource: Resource,
  { name, group, version, kind, verbs }: ServedSubresource,
): object {
  const ofOtherGroup = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.plural}/${name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(ofOtherGroup && { group, version }),
    kind,
    verbs,
  };
}
