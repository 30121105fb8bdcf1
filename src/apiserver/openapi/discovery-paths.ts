import type { ServedVersion } from "../discovery/served.ts";
import { groupWords, metaNames, tagOf, versionWords } from "./names.ts";
import { builtinTypes, type PathItem, responses } from "./operation.ts";
import { basePath } from "./paths.ts";

type PathEntry = [path: string, item: PathItem];

/** Returns the path of the discovery of a version: `/apis/apps/v1/`. */
export function versionDiscovery(served: ServedVersion): PathEntry {
  const names = { tag: tagOf(served), id: `${versionWords(served)}APIResources` };
  return [`${basePath(served)}/`, getOnly(metaNames.resourceList, names)];
}

/** Returns the path of core discovery: `/api/`. */
export function coreDiscovery(): PathEntry {
  return ["/api/", getOnly(metaNames.apiVersions, { tag: "core", id: "CoreAPIVersions" })];
}

/** Returns the path of group discovery: `/apis/`. */
export function groupsDiscovery(): PathEntry {
  return ["/apis/", getOnly(metaNames.groupList, { tag: "apis", id: "APIVersions" })];
}

/** Returns the path of the discovery of one group: `/apis/apps/`. */
export function groupDiscovery(group: string): PathEntry {
  const words = groupWords(group);
  const tag = words.charAt(0).toLowerCase() + words.slice(1);
  return [`/apis/${group}/`, getOnly(metaNames.group, { tag, id: `${words}APIGroup` })];
}

export function versionInfoPath(): PathEntry {
  const get = {
    tags: ["version"],
    operationId: "getCodeVersion",
    responses: responses([200], ["application/json"], "io.k8s.apimachinery.pkg.version.Info"),
  };
  return ["/version/", { get }];
}

export function openIdConfigurationPath(): PathEntry {
  const get = {
    tags: ["WellKnown"],
    operationId: "getServiceAccountIssuerOpenIDConfiguration",
    responses: responses([200], ["application/json"], { type: "string" }),
  };
  return ["/.well-known/openid-configuration/", { get }];
}

export function openIdKeysPath(): PathEntry {
  const get = {
    tags: ["openid"],
    operationId: "getServiceAccountIssuerOpenIDKeyset",
    responses: responses([200], ["application/jwk-set+json"], { type: "string" }),
  };
  return ["/openid/v1/jwks/", { get }];
}

/** Returns the path item of a path that has GET only. */
function getOnly(schema: string, { tag, id }: { readonly tag: string; readonly id: string }): PathItem {
  const getResponses = responses([200], builtinTypes.response, schema);
  return { get: { tags: [tag], operationId: `get${id}`, responses: getResponses } };
}
