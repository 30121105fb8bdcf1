import { facts, release } from "../../api/types/facts.ts";
import type { Resource } from "../resource.ts";
import { customListSchema, customSchema } from "./openapi-custom-schema.ts";
import { metaNames, schemaName, tagOf, versionWords } from "./openapi-names.ts";
import { builtinTypes, type PathItem, responses } from "./openapi-operation.ts";
import { basePath, resourcePaths } from "./openapi-paths.ts";
import { builtinSchema, collectRefs, type GroupVersion, type OpenApiSchema } from "./openapi-schema.ts";
import type { ServedVersion } from "./served.ts";

/** The OpenAPI 3.0 document of a group and version: its paths, and every schema they lead to. */
export function openApiDocument(served: ServedVersion): object {
  const paths = [...rootPath(served), ...served.resources.flatMap(resourcePaths)];
  const own = ownSchemas(served.resources);
  return {
    openapi: "3.0.0",
    info: served.custom
      ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" }
      : { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") },
    paths: byName(paths),
    components: {
      schemas: byName(reachable(own, paths, served)),
      ...(!served.custom && { securitySchemes }),
    },
  };
}

const securitySchemes = {
  BearerToken: { type: "apiKey", name: "authorization", in: "header" },
};

/** The path of the discovery document. Custom kinds do not tell it. */
function rootPath(served: ServedVersion): Array<[string, PathItem]> {
  if (served.custom) return [];
  const get = {
    tags: [tagOf(served)],
    operationId: `get${versionWords(served)}APIResources`,
    responses: responses([200], builtinTypes.response, metaNames.resourceList),
  };
  return [[`${basePath(served)}/`, { get }]];
}

/** Of custom kinds, which no release knows. */
function ownSchemas(resources: readonly Resource[]): Map<string, OpenApiSchema> {
  const custom = resources.filter((resource) => resource.custom);
  return new Map(
    custom.flatMap((resource) => [
      [schemaName(resource, resource), customSchema(resource)],
      [schemaName({ ...resource, kind: resource.listKind }, resource), customListSchema(resource)],
    ]),
  );
}

/** The custom kinds, what they and `paths` refer to, and what that refers to. */
function reachable(
  own: ReadonlyMap<string, OpenApiSchema>,
  paths: unknown,
  at: GroupVersion,
): Array<[string, OpenApiSchema]> {
  const names = new Set(own.keys());
  collectRefs(paths, names);
  const found = new Map<string, OpenApiSchema>();
  // The set grows while it is walked.
  for (const name of names) {
    const schema = own.get(name) ?? builtinSchema(facts().schemas.get(name) ?? {}, at);
    found.set(name, schema);
    collectRefs(schema, names);
  }
  return [...found];
}

function byName<T>(entries: ReadonlyArray<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
