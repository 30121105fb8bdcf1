import type { Resource, ServedSubresource } from "../types/resource.ts";
import type { ServedGroup, ServedVersion } from "./served.ts";

/** Returns the aggregated discovery document of the groups. */
export function groupDiscoveryList(groups: readonly ServedGroup[]): object {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map(versionDiscovery),
    })),
  };
}

function versionDiscovery({ version, resources }: ServedVersion): object {
  return { version, resources: resources.map(resourceDiscovery), freshness: "Current" };
}

function resourceDiscovery(resource: Resource): object {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((part) => subresourceDiscovery(resource, part)),
    }),
  };
}

function subresourceDiscovery(resource: Resource, part: ServedSubresource): object {
  return { subresource: part.name, responseKind: responseKind(resource, part), verbs: part.verbs };
}

/** Returns the response kind. Built-in resources omit group and version if they are those of the document. */
function responseKind(resource: Resource, { group, version, kind }: Resource | ServedSubresource): object {
  const implied = !resource.custom && group === resource.group && version === resource.version;
  return implied ? { group: "", version: "", kind } : { group, version, kind };
}
