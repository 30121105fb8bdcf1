import type { ServedVersion } from "../discovery/served.ts";
import type { Resource } from "../types/resource.ts";
import { customListSchema, customSchema } from "./custom-schema.ts";
import { openApiText, type SchemaTexts } from "./document-text.ts";
import { groupWords, metaNames, schemaName, tagOf, versionWords } from "./names.ts";
import { builtinTypes, type PathItem, responses } from "./operation.ts";
import { basePath, resourcePaths } from "./paths.ts";

/** Returns the document of a group and version: `/openapi/v3/apis/apps/v1`. */
export function versionDocument(served: ServedVersion): string {
  const { custom, resources } = served;
  const paths = [...(custom ? [] : [discoveryPath(served)]), ...resources.flatMap(resourcePaths)];
  return openApiText({ custom, groupVersion: served, paths, schemas: customSchemas(resources) });
}

function discoveryPath(served: ServedVersion): [string, PathItem] {
  const names = { tag: tagOf(served), id: `${versionWords(served)}APIResources` };
  return [`${basePath(served)}/`, getOnly(metaNames.resourceList, names)];
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
  return rootDocument("/api/", getOnly(metaNames.apiVersions, { tag: "core", id: "CoreAPIVersions" }));
}

/** Returns the document of group discovery: `/openapi/v3/apis`. */
export function groupsDocument(): string {
  return rootDocument("/apis/", getOnly(metaNames.groupList, { tag: "apis", id: "APIVersions" }));
}

/** Returns the document of the discovery of one group: `/openapi/v3/apis/apps`. */
export function groupDocument(group: string): string {
  const words = groupWords(group);
  const tag = words.charAt(0).toLowerCase() + words.slice(1);
  return rootDocument(`/apis/${group}/`, getOnly(metaNames.group, { tag, id: `${words}APIGroup` }));
}

export function versionInfoDocument(): string {
  const get = {
    tags: ["version"],
    operationId: "getCodeVersion",
    responses: responses([200], ["application/json"], "io.k8s.apimachinery.pkg.version.Info"),
  };
  return rootDocument("/version/", { get });
}

function rootDocument(path: string, item: PathItem): string {
  return openApiText({ custom: false, groupVersion: { group: "", version: "v1" }, paths: [[path, item]] });
}

/** Returns the path item of a path that has GET only. */
function getOnly(schema: string, { tag, id }: { readonly tag: string; readonly id: string }): PathItem {
  const getResponses = responses([200], builtinTypes.response, schema);
  return { get: { tags: [tag], operationId: `get${id}`, responses: getResponses } };
}
