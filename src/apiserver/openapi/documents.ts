import type { ServedVersion } from "../discovery/served.ts";
import type { Resource } from "../resource.ts";
import { customListSchema, customSchema } from "./custom-schema.ts";
import { openApiText, type SchemaTexts } from "./document-text.ts";
import { groupWords, metaNames, schemaName, tagOf, versionWords } from "./names.ts";
import { builtinTypes, type PathItem, responses } from "./operation.ts";
import { basePath, resourcePaths } from "./paths.ts";

/** The document of a group and version: `/openapi/v3/apis/apps/v1`. */
export function versionDocument(served: ServedVersion): string {
  const { custom, resources } = served;
  const paths = [...(custom ? [] : [discoveryPath(served)]), ...resources.flatMap(resourcePaths)];
  return openApiText({ custom, at: served, paths, schemas: customSchemas(resources) });
}

function discoveryPath(served: ServedVersion): [string, PathItem] {
  const names = { tag: tagOf(served), id: `${versionWords(served)}APIResources` };
  return [`${basePath(served)}/`, reading(metaNames.resourceList, names)];
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

/** The documents of discovery itself: `/openapi/v3/api`. */
export function coreDocument(): string {
  return rootDocument("/api/", reading(metaNames.apiVersions, { tag: "core", id: "CoreAPIVersions" }));
}

export function groupsDocument(): string {
  return rootDocument("/apis/", reading(metaNames.groupList, { tag: "apis", id: "APIVersions" }));
}

export function groupDocument(group: string): string {
  const words = groupWords(group);
  const tag = words.charAt(0).toLowerCase() + words.slice(1);
  return rootDocument(`/apis/${group}/`, reading(metaNames.group, { tag, id: `${words}APIGroup` }));
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
  return openApiText({ custom: false, at: { group: "", version: "v1" }, paths: [[path, item]] });
}

/** A path that is only read. */
function reading(schema: string, { tag, id }: { readonly tag: string; readonly id: string }): PathItem {
  const answers = responses([200], builtinTypes.response, schema);
  return { get: { tags: [tag], operationId: `get${id}`, responses: answers } };
}
