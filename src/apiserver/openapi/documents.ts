import type { ServedVersion } from "../discovery/served.ts";
import type { Resource } from "../types/resource.ts";
import { customListSchema, customSchema } from "./custom-schema.ts";
import {
  coreDiscovery,
  groupDiscovery,
  groupsDiscovery,
  openIdConfigurationPath,
  openIdKeysPath,
  versionDiscovery,
  versionInfoPath,
} from "./discovery-paths.ts";
import { openApiText, type SchemaTexts } from "./document-text.ts";
import { schemaName } from "./names.ts";
import type { PathItem } from "./operation.ts";
import { resourcePaths } from "./paths.ts";

/** Returns the document of a group and version: `/openapi/v3/apis/apps/v1`. */
export function versionDocument(served: ServedVersion): string {
  const { custom, resources } = served;
  const paths = [...(custom ? [] : [versionDiscovery(served)]), ...resources.flatMap(resourcePaths)];
  return openApiText({ custom, groupVersion: served, paths, schemas: customSchemas(resources) });
}

function customSchemas(resources: readonly Resource[]): SchemaTexts {
  const custom = resources.filter((resource) => resource.custom);
  return new Map(
    custom.flatMap((resource) => [
      [schemaName(resource, resource), JSON.stringify(customSchema(resource))],
      [
        schemaName({ ...resource, kind: resource.listKind }, resource),
        JSON.stringify(customListSchema(resource)),
      ],
    ]),
  );
}

/** Returns the document of core discovery: `/openapi/v3/api`. */
export function coreDocument(): string {
  return rootDocument(coreDiscovery());
}

/** Returns the document of group discovery: `/openapi/v3/apis`. */
export function groupsDocument(): string {
  return rootDocument(groupsDiscovery());
}

/** Returns the document of the discovery of one group: `/openapi/v3/apis/apps`. */
export function groupDocument(group: string): string {
  return rootDocument(groupDiscovery(group));
}

export function versionInfoDocument(): string {
  return rootDocument(versionInfoPath());
}

/** Returns the document of `/.well-known/openid-configuration`. */
export function openIdConfigurationDocument(): string {
  return rootDocument(openIdConfigurationPath());
}

/** Returns the document of `/openid/v1/jwks`. */
export function openIdKeysDocument(): string {
  return rootDocument(openIdKeysPath());
}

function rootDocument(path: readonly [string, PathItem]): string {
  return openApiText({ custom: false, groupVersion: { group: "", version: "v1" }, paths: [path] });
}
